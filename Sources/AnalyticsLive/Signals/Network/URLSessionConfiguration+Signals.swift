#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionConfiguration {
    /// Lets requests of the sessions that are made of this configuration from now on make signals, as far as
    /// `SignalsConfiguration` captures them; without `useNetworkAutoSignal` it changes nothing.
    ///
    /// Requests keep the session's cookies, cache and rules for certificates. Protocol classes of the app's own keep their
    /// place in front. Background sessions do without protocols. On Apple's systems eight configurations of a process are
    /// captured; later ones are left as they are.
    public func captureSignals() {
        var classes = protocolClasses ?? []
        guard !classes.contains(where: { $0 is SignalsNetworkProtocol.Type }) else { return }
        #if canImport(Darwin)
        guard let own = CapturedSessions.shared.take(self) else { return }
        #else
        // Loaded by the session itself, so with its configuration.
        let own = SignalsNetworkProtocol.self
        #endif
        let native = URLSessionConfiguration.ephemeral.protocolClasses ?? []
        let place = classes.firstIndex { candidate in native.contains { $0 == candidate } } ?? classes.endIndex
        classes.insert(own, at: place)
        protocolClasses = classes
    }

    /// This configuration, after `captureSignals()`.
    public func capturingSignals() -> Self {
        captureSignals()
        return self
    }
}
