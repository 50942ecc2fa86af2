#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLSessionConfiguration {
    /// Captures requests of the sessions that are made with this configuration from now on, as far as
    /// `SignalsConfiguration` says. Without `useNetworkAutoSignal` this has no effect.
    ///
    /// Requests keep the session's cookies, cache and rules for certificates. The app's own protocol classes stay
    /// before this one. Background sessions use no protocols. On Apple's systems, eight configurations of a process can
    /// be captured; later ones stay unchanged.
    public func captureSignals() {
        var classes = protocolClasses ?? []
        guard !classes.contains(where: { $0 is SignalsNetworkProtocol.Type }) else { return }
        #if canImport(Darwin)
        guard let own = CapturedSessions.shared.take(self) else { return }
        #else
        // The session itself loads the request, so it uses its configuration.
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
