import Foundation
import TributaryJSON

/// The address and the policy of delivery, combined from the app's configuration and the settings.
///
/// An API host of the app wins over one of the settings, so settings cannot move an app away from its server. An
/// `httpConfig` of the settings wins over the app's, because the server knows what load it can take.
final class DeliverySettings: Sendable {
    private struct State {
        var endpoint: Endpoint?
        var told: Set<String> = []
    }

    private static let defaultHost = "api.segment.io/v1"

    private let ownHost: String?
    private let fallbackHost: String
    private let ownConfig: HttpConfig
    /// Problems of the app's own configuration. They are reported with the first settings: by then the app has had the
    /// chance to observe diagnostics.
    private let ownProblems: [String]
    private let report: @Sendable (Diagnostic) -> Void
    private let state = LockBox(State())

    init(values: Configuration.Values, report: @escaping @Sendable (Diagnostic) -> Void) {
        ownHost = values.apiHost
        fallbackHost = values.fallbackAPIHost ?? Self.defaultHost
        ownConfig = values.httpConfig.validated()
        ownProblems = ownConfig.differences(from: values.httpConfig)
        self.report = report
    }

    /// Applies the settings to delivery. An invalid address keeps the last good one.
    func read(_ settings: Settings) -> (endpoint: Endpoint?, policy: DeliveryPolicy) {
        tell(ownProblems, .configuration)
        guard !settings.isCollectionSwitchedOff else { return (nil, DeliveryPolicy(ownConfig)) }
        let options = settings.integrations?[ServerDestination.key]
        let host = ownHost ?? options?["apiHost"]?.stringValue ?? fallbackHost
        let endpoint = Endpoint(host)
        if endpoint == nil { tell(["the API host '\(host)' is not an address"], .settings) }
        let current = state.withLock { state in
            state.endpoint = endpoint ?? state.endpoint
            return state.endpoint
        }
        return (current, DeliveryPolicy(config(options)))
    }

    private func config(_ options: JSON?) -> HttpConfig {
        guard let sent = options?["httpConfig"], !sent.isNull else { return ownConfig }
        guard sent.objectValue != nil else {
            tell(["it is not an object"], .settings)
            return ownConfig
        }
        let (config, problems) = HttpConfig.read(sent, over: ownConfig)
        tell(problems, .settings)
        return config
    }

    /// Reports each problem once, however often the settings come.
    private func tell(_ problems: [String], _ kind: Diagnostic.Kind) {
        for problem in problems {
            let isNew = state.withLock { state in
                state.told.count < Limits.statusOverrides && state.told.insert(problem).inserted
            }
            if isNew { report(Diagnostic(kind, "httpConfig or apiHost: \(problem)", reason: .httpConfig)) }
        }
    }
}
