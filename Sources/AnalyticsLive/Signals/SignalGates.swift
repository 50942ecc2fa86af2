import Tributary
import TributaryJSON

/// The enabled sources of signals: the app has enabled them, and the workspace has not disabled them.
///
/// In the settings, `autoInstrumentation.sources` names the sources `network`, `swiftUI` and `uiKit`, each with
/// `enabled` and `sampleRate`, the share of launches in which it makes signals. `autoInstrumentation.sampleRate`
/// applies to sources without one of their own.
struct SignalGates: Sendable {
    /// One draw for each source and launch, so that a request never misses its response.
    private var draws: [SignalSource: Double] = [:]
    private var used: Set<SignalSource> = []
    private var closed: Set<SignalSource> = []
    private var open: Set<SignalSource> = [.manual]
    /// Whether signals may contain the text that is typed into fields.
    private(set) var includesTypedText = false

    init(draw: () -> Double) { for source in SignalSource.allCases { draws[source] = draw() } }

    func admits(_ source: SignalSource) -> Bool { source == .manual || open.contains(source) }

    mutating func use(_ configuration: SignalsConfiguration) {
        used = Set(SignalSource.allCases.filter(configuration.uses))
        includesTypedText = configuration.includesTypedText(isDebug: BuildConfiguration.isDebug)
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
    /// The name of an automatic capture in settings.
    fileprivate var settingsName: String? {
        switch self {
        case .autoNetwork: "network"
        case .autoSwiftUI: "swiftUI"
        case .autoUIKit: "uiKit"
        case .manual: nil
        }
    }
}
