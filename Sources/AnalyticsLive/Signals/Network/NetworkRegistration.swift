import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes the protocol known to the sessions of the process, once.
enum NetworkRegistration {
    private struct State {
        var isDone = false
        var isChanging = false
    }

    private static let state = LockBox(State())

    /// The first class that accepts a request gets it. Apple's systems ask the class first that was registered last.
    /// Linux uses the opposite order, so the system's own class has to be registered again behind this one.
    static func registerOnce() {
        let isFirst = state.withLock { state in
            defer { state.isDone = true }
            return !state.isDone
        }
        guard isFirst else { return }
        #if canImport(Darwin)
        _ = URLProtocol.registerClass(SignalsNetworkProtocol.self)
        #else
        state.withLock { $0.isChanging = true }
        _ = URLProtocol.registerClass(SignalsNetworkProtocol.self)
        for native in URLSessionConfiguration.default.protocolClasses ?? [] where NativeLoad.loadsHTTP(native) {
            URLProtocol.unregisterClass(native)
            _ = URLProtocol.registerClass(native)
        }
        state.withLock { $0.isChanging = false }
        #endif
    }

    /// Between the two lines above no other class would load a request over HTTP, and a session without such a class
    /// ends the process.
    static func isChanging(for request: URLRequest) -> Bool {
        guard state.withLock({ $0.isChanging }), let scheme = request.url?.scheme?.lowercased() else { return false }
        return scheme == "http" || scheme == "https"
    }
}
