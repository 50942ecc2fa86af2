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
    /// Protocol classes of the app's own keep their place in front. Background sessions do without protocols.
    public func captureSignals() {
        var classes = protocolClasses ?? []
        guard !classes.contains(where: { $0 == SignalsNetworkProtocol.self }) else { return }
        let native = URLSessionConfiguration.ephemeral.protocolClasses ?? []
        let place = classes.firstIndex { candidate in native.contains { $0 == candidate } } ?? classes.endIndex
        classes.insert(SignalsNetworkProtocol.self, at: place)
        protocolClasses = classes
    }

    /// This configuration, after `captureSignals()`.
    public func capturingSignals() -> Self {
        captureSignals()
        return self
    }
}
