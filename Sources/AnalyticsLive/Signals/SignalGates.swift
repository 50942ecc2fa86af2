import Tributary
import TributaryJSON

/// The sources of signals that are on: the app has switched them on, and the workspace has not switched them off.
///
/// In the settings, `autoInstrumentation.sources` names the sources `network`, `swiftUI` and `uiKit`, each with `enabled`
/// and `sampleRate`, the share of launches in which it makes signals. `autoInstrumentation.sampleRate` is for those without
/// one of their own.
struct SignalGates: Sendable {
    /// One draw for each source and launch, so that a request never misses its response.
    private var draws: [SignalSource: Double] = [:]
    private var used: Set<SignalSource> = []
    private var closed: Set<SignalSource> = []
    private var open: Set<SignalSource> = [.manual]

    init(draw: () -> Double) { for source in SignalSource.allCases { draws[source] = draw() } }

    func admits(_ source: SignalSource) -> Bool { source == .manual || open.contains(source) }

    mutating func use(_ configuration: SignalsConfiguration) {
        used = Set(SignalSource.allCases.filter(configuration.uses))
        refresh()
    }

    mutating func use(_ settings: Settings) {
        let automatic = settings.autoInstrumentation
        closed = Set(
            SignalSource.allCases.filter { source in
                guard let name = source.settingsName else { return false }
                let own = automatic?["sources"]?[name]
                let rate = own?["sampleRate"]?.doubleValue ?? automatic?["sampleRate"]?.doubleValue ?? 1
                return own?["enabled"]?.boolValue == false || (draws[source] ?? 0) >= rate
            })
        refresh()
    }

    private mutating func refresh() { open = used.subtracting(closed).union([.manual]) }
}

extension SignalSource {
    /// How settings call an automatic capture.
    fileprivate var settingsName: String? {
        switch self {
        case .autoNetwork: "network"
        case .autoSwiftUI: "swiftUI"
        case .autoUIKit: "uiKit"
        case .manual: nil
        }
    }
}
