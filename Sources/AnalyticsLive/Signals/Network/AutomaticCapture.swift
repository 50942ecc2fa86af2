import Foundation
import Tributary

/// Switches the automatic captures of one `Signals` on and off, as its configuration, its client and the settings say.
final class AutomaticCapture: Sendable {
    private struct State {
        var isUsed = false
        var allowed: [String] = []
        var blocked: [String] = []
        /// The hosts of the client and its broadcasters.
        var own: [[String]] = [[], [], []]

        var rules: NetworkRules {
            NetworkRules(allowed: allowed, blocked: blocked, own: own.flatMap { $0 })
        }
    }

    private let state = LockBox(State())

    /// Uses another configuration.
    func use(_ configuration: SignalsConfiguration, of signals: Signals) {
        let broadcasters = (configuration.broadcasters ?? []).compactMap { $0 as? any HostedBroadcaster }
        change(of: signals) { state in
            state.isUsed = configuration.useNetworkAutoSignal
            state.allowed = configuration.allowedNetworkHosts
            state.blocked = configuration.blockedNetworkHosts
            state.own[0] = [configuration.apiHost] + broadcasters.flatMap(\.hosts)
        }
        #if canImport(UIKit) && !os(watchOS)
        UIKitCapture.use(configuration.useUIKitAutoSignal, for: signals)
        #endif
    }

    /// Uses another client.
    func use(_ analytics: Analytics, of signals: Signals) {
        change(of: signals) { $0.own[1] = analytics.hosts }
    }

    /// Uses other settings, which may name another host for events.
    func use(_ settings: Settings, of signals: Signals) {
        let host = settings.integrations?["Segment.io"]?["apiHost"]?.stringValue
        change(of: signals) { $0.own[2] = host.map { [$0] } ?? [] }
    }

    private func change(of signals: Signals, _ change: (inout State) -> Void) {
        let (isUsed, rules) = state.withLock { state in
            change(&state)
            return (state.isUsed, state.rules)
        }
        guard isUsed else { return NetworkCapture.shared.set(nil, for: signals) }
        NetworkRegistration.registerOnce()
        let listener = NetworkCapture.Listener(rules: rules) { [weak signals] in
            signals?.takes(.autoNetwork) ?? false
        } take: { [weak signals] data in
            signals?.emit(signal: NetworkSignal(data: data), source: .autoNetwork)
        }
        NetworkCapture.shared.set(listener, for: signals)
    }
}
