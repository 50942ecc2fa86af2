public import Foundation
import TributaryJSON

/// Drops track and screen events that come faster than they should, such as those of a loop that went wrong.
///
/// It goes by the time at which events were tracked, so a backlog that is processed at once is not taken for a flood.
/// Identify, group and alias events always pass. What it drops is counted under its name in
/// ``EventCounters/droppedByPlugin``, and the first drop of a name is reported.
public final class EventRateLimit: EventPlugin {
    /// A number of events in a time. Up to that many may come at once.
    public struct Rate: Sendable {
        let count: Double
        let seconds: TimeInterval

        /// - Parameters:
        ///   - count: events, at least 1.
        ///   - seconds: the time in which they may come.
        public init(_ count: Int, per seconds: TimeInterval) {
            self.count = Double(max(count, 1))
            self.seconds = seconds.isFinite ? max(seconds, 0) : 0
        }
    }

    public let type = PluginType.enrichment
    public let name = "EventRateLimit"
    public weak var analytics: Analytics?

    private let perName: Rate?
    private var overall: Bucket?
    private var buckets: [String: Bucket] = [:]
    private var reported: Set<String> = []

    /// - Parameters:
    ///   - perName: for each name of a track event or screen by itself. Default: 100 in 10 seconds.
    ///   - overall: for all of them together. Default: 1000 in 10 seconds.
    public init(perName: Rate? = Rate(100, per: 10), overall: Rate? = Rate(1000, per: 10)) {
        self.perName = perName
        self.overall = overall.map(Bucket.init)
    }

    public func track(event: TrackEvent) -> TrackEvent? { passes(event, name: event.event) ? event : nil }
    public func screen(event: ScreenEvent) -> ScreenEvent? { passes(event, name: event.name ?? "") ? event : nil }

    private func passes(_ event: some RawEvent, name: String) -> Bool {
        let now = milliseconds(of: event)
        var own = perName.map { buckets[name] ?? Bucket($0) }
        own?.fill(until: now)
        overall?.fill(until: now)
        let passes = (own?.isOpen ?? true) && (overall?.isOpen ?? true)
        if passes {
            own?.take()
            overall?.take()
        } else {
            report(name)
        }
        keep(own, name)
        return passes
    }

    private func milliseconds(of event: some RawEvent) -> Int64 {
        event.timestamp.flatMap(ISO8601.milliseconds) ?? analytics?.time.milliseconds
            ?? Int64(Date().timeIntervalSince1970 * 1000)
    }

    /// When there are too many names, counting starts over, so that memory stays bounded.
    private func keep(_ bucket: Bucket?, _ name: String) {
        if buckets.count >= Limits.limitedNames, buckets[name] == nil { buckets = [:] }
        buckets[name] = bucket
    }

    private func report(_ name: String) {
        guard reported.count < Limits.limitedNames, reported.insert(name).inserted else { return }
        analytics?.report(
            Diagnostic(.eventDropped, "\"\(name)\" comes faster than the limit allows", plugin: self.name))
    }

    /// Room for some events, which comes back with time.
    private struct Bucket {
        let rate: Rate
        private var room: Double
        private var time: Int64?

        init(_ rate: Rate) {
            self.rate = rate
            room = rate.count
        }

        var isOpen: Bool { room >= 1 }

        mutating func take() { room -= 1 }

        /// A clock that is set back gives no room, and counts on from where it is.
        mutating func fill(until now: Int64) {
            let elapsed = time.map { max(Double(now) - Double($0), 0) / 1000 } ?? 0
            time = now
            let gained = rate.seconds > 0 ? elapsed / rate.seconds * rate.count : rate.count
            room = min(room + gained, rate.count)
        }
    }
}
