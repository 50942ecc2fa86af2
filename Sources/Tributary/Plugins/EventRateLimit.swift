public import Foundation
import TributaryJSON

/// Drops track and screen events that come too fast, for instance from a loop that went wrong.
///
/// It uses the times at which events were tracked, so a backlog that is processed at once does not count as a flood.
/// Identify, group and alias events always pass. The counters list dropped events under the plugin's name in
/// ``EventCounters/droppedByPlugin``. The first drop for an event's name is reported.
///
/// ```swift
/// analytics.add(plugin: EventRateLimit(perName: .init(20, per: 1)))
/// ```
public final class EventRateLimit: EventPlugin, TimedPlugin {
    /// A number of events in a period. The whole number may come at once.
    public struct Rate: Sendable {
        let count: Double
        let seconds: TimeInterval

        /// - Parameters:
        ///   - count: the number of events, at least 1.
        ///   - seconds: the length of the period.
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
    ///   - perName: the limit for each name of a track event or screen. Default: 100 in 10 seconds.
    ///   - overall: the limit for all of them together. Default: 1000 in 10 seconds.
    public init(perName: Rate? = Rate(100, per: 10), overall: Rate? = Rate(1000, per: 10)) {
        self.perName = perName
        self.overall = overall.map(Bucket.init)
    }

    public func track(event: TrackEvent) -> TrackEvent? {
        passes(event.event, at: milliseconds(of: event)) ? event : nil
    }

    public func screen(event: ScreenEvent) -> ScreenEvent? {
        passes(event.name ?? "", at: milliseconds(of: event)) ? event : nil
    }

    func execute<Event: RawEvent>(event: Event, trackedAt: Int64) -> Event? {
        switch event {
        case let track as TrackEvent: passes(track.event, at: trackedAt) ? event : nil
        case let screen as ScreenEvent: passes(screen.name ?? "", at: trackedAt) ? event : nil
        default: event
        }
    }

    private func passes(_ name: String, at now: Int64) -> Bool {
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

    /// Counting starts again when there are too many names, so memory stays bounded.
    private func keep(_ bucket: Bucket?, _ name: String) {
        if buckets.count >= Limits.limitedNames, buckets[name] == nil { buckets = [:] }
        buckets[name] = bucket
    }

    private func report(_ name: String) {
        guard reported.count < Limits.limitedNames, reported.insert(name).inserted else { return }
        analytics?.report(
            Diagnostic(.eventDropped, "\"\(name)\" comes faster than the limit allows", plugin: self.name))
    }

    /// A bucket with room for some events; the room returns with time.
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

        /// Returns room up to now. A clock that is set back gives no room; counting goes on from its new time.
        mutating func fill(until now: Int64) {
            let elapsed = time.map { max(Double(now) - Double($0), 0) / 1000 } ?? 0
            time = now
            let gained = rate.seconds > 0 ? elapsed / rate.seconds * rate.count : rate.count
            room = min(room + gained, rate.count)
        }
    }
}
