import TributaryJSON

/// Passes a part of all track and screen events and drops the others.
///
/// Identify, group and alias events always pass, because other events refer to them. The counters list dropped events
/// under the plugin's name in ``EventCounters/droppedByPlugin``.
///
/// ```swift
/// analytics.add(plugin: EventSampling(rate: 0.1, names: ["Page Scrolled"]))
/// ```
public final class EventSampling: EventPlugin {
    /// The value that decides whether an event passes.
    public enum Basis: Sendable {
        /// The anonymous id: all events of an id pass or none do, on every device and after every start.
        case anonymousId
        /// A random number for each event.
        case random
    }

    public let type = PluginType.enrichment
    public let name = "EventSampling"
    public weak var analytics: Analytics?

    private let rate: Double
    private let basis: Basis
    private let salt: String
    private let names: Set<String>?

    /// - Parameters:
    ///   - rate: the part that passes, from 0 (no event) to 1 (every event). A value that is not a number counts as 1.
    ///   - basis: what decides. Default: the anonymous id.
    ///   - salt: another text selects other anonymous ids. Default: empty, so the selection is the same everywhere.
    ///   - names: the track events and screens to sample; others pass. Default: all.
    public init(rate: Double, by basis: Basis = .anonymousId, salt: String = "", names: Set<String>? = nil) {
        self.rate = rate.isNaN ? 1 : min(max(rate, 0), 1)
        self.basis = basis
        self.salt = salt
        self.names = names
    }

    public func track(event: TrackEvent) -> TrackEvent? { passes(event, name: event.event) ? event : nil }
    public func screen(event: ScreenEvent) -> ScreenEvent? { passes(event, name: event.name ?? "") ? event : nil }

    private func passes(_ event: some RawEvent, name: String) -> Bool {
        guard names?.contains(name) ?? true else { return true }
        switch basis {
        case .anonymousId: return Self.fraction(of: salt + (event.anonymousId ?? "")) < rate
        case .random: return (analytics?.values.identifiers.random() ?? Double.random(in: 0..<1)) < rate
        }
    }

    /// An even spread over 0 up to, not including, 1. A text has the same value on every system.
    static func fraction(of text: String) -> Double {
        var bits = Identifiers.fnv1a(text.utf8)
        // Similar texts differ in few bits up to here. After this, each bit of the result depends on all bits.
        for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
            bits ^= bits >> 33
            bits &*= factor
        }
        bits ^= bits >> 33
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }
}
