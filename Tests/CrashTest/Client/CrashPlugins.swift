import Tributary

/// What an event of the harness carries.
struct CrashProperties: Codable {
    var crashKey: String
    var padding: String?
}

extension RawEvent {
    var crashKey: String? { json["properties"]?["crashKey"]?.stringValue }
}

/// Tracks another event for some of those that it sees.
///
/// Unchecked because it is only called on the client's executor.
final class TrackingPlugin: Plugin, @unchecked Sendable {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
    private let killer: Killer
    private let refusals: Refusals
    private let ledger: Ledger

    init(killer: Killer, refusals: Refusals, ledger: Ledger) {
        self.killer = killer
        self.refusals = refusals
        self.ledger = ledger
    }

    func execute(event: BaseEvent) -> BaseEvent? {
        guard let key = event.crashKey else { return event }
        killer.reached(.eventInTimeline, .before)
        if EventKey.isParent(key) { track(EventKey.child(of: key)) }
        killer.reached(.eventInTimeline, .after)
        return event
    }

    private func track(_ key: String) {
        guard let analytics else { return }
        killer.reached(.childTracked, .before)
        let isVolatile = refusals.touch(analytics) {
            analytics.track(name: "Made By Plugin", properties: CrashProperties(crashKey: key))
        }
        ledger.append(.acknowledged(key: key, isVolatile: isVolatile))
        killer.reached(.childTracked, .after)
    }
}

/// Drops the events that are marked for it.
///
/// Unchecked because it is only called on the client's executor.
final class DroppingPlugin: Plugin, @unchecked Sendable {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
    private let sabotage: Sabotage?
    private var seen = 0

    init(sabotage: Sabotage?) { self.sabotage = sabotage }

    func execute(event: BaseEvent) -> BaseEvent? {
        guard let key = event.crashKey else { return event }
        seen += 1
        if sabotage == .eventsDropped, seen % 20 == 0 { return nil }
        return EventKey.isDropped(key) ? nil : event
    }
}
