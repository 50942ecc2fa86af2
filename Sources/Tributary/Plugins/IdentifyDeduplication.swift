public import Foundation
import TributaryJSON

/// Drops identify events that say nothing new: the same user, with only traits that are already known.
///
/// The plugin remembers identities in this process, until a reset or until `interval` is over. Then the next identify
/// event passes again. Added to a destination, the plugin keeps repetitions from that destination only. The counters
/// list dropped events under the plugin's name in ``EventCounters/droppedByPlugin``.
///
/// ```swift
/// analytics.add(plugin: IdentifyDeduplication())                                      // for all destinations
/// analytics.find(key: "Amplitude")?.add(plugin: IdentifyDeduplication(interval: 3600))  // for one
/// ```
public final class IdentifyDeduplication: EventPlugin {
    public let type = PluginType.enrichment
    public let name = "IdentifyDeduplication"
    public weak var analytics: Analytics?

    private let interval: TimeInterval
    private var known: Known?

    /// The traits of a user, and the time of the first event with them.
    private struct Known {
        let userId: String?
        let anonymousId: String?
        let since: TimeInterval
        var traits: JSONObject = [:]
    }

    /// - Parameter interval: seconds for which repetitions are dropped. Default: a day.
    public init(interval: TimeInterval = 86_400) { self.interval = interval }

    public func identify(event: IdentifyEvent) -> IdentifyEvent? {
        let uptime = analytics?.time.uptime ?? ProcessInfo.processInfo.systemUptime
        let traits = event.traits?.objectValue ?? [:]
        let isSameUser = known.map { $0.userId == event.userId && $0.anonymousId == event.anonymousId } ?? false
        guard isSameUser, var known, uptime - known.since < interval else {
            remember(Known(userId: event.userId, anonymousId: event.anonymousId, since: uptime), traits)
            return event
        }
        guard traits.contains(where: { known.traits[$0.key] != $0.value }) else { return nil }
        for (key, value) in traits { known.traits[key] = value }
        remember(known, known.traits)
        return event
    }

    public func reset() { known = nil }

    /// Remembers traits. A user with too many traits is forgotten, so memory stays bounded; repetitions then pass.
    private func remember(_ known: Known, _ traits: JSONObject) {
        var known = known
        known.traits = traits
        self.known = traits.count <= Limits.rememberedTraits ? known : nil
    }
}
