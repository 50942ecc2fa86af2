import TributaryJSON

/// Lets a part of all track and screen events pass and drops the others.
///
/// Identify, group and alias events always pass, because the other events refer to them. Dropped events are counted
/// under its name in ``EventCounters/droppedByPlugin``.
public final class EventSampling: EventPlugin {
    /// The value that decides about an event.
    public enum Basis: Sendable {
        /// Whose event it is: an anonymous id is in or out with all its events, on every device and after every start.
        case anonymousId
        /// Chance, for each event by itself.
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
    ///   - rate: the part that passes, from 0 (nothing) to 1 (everything). What is no number counts as 1.
    ///   - basis: what decides. Default: the anonymous id.
    ///   - salt: changes which anonymous ids are in. Default: the same ones everywhere.
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

    /// An even spread over 0 up to, not including, 1, the same for a text on every system.
    static func fraction(of text: String) -> Double {
        var bits = Identifiers.fnv1a(text.utf8)
        // Neighbouring texts differ in few bits so far; each bit of the result depends on all of them.
        for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
            bits ^= bits >> 33
            bits &*= factor
        }
        bits ^= bits >> 33
        return Double(bits >> 11) / Double(UInt64(1) << 53)
    }
}
