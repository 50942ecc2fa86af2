import TributaryJSON

/// How delivery to the server went since the last report, and what waits for it now.
struct DeliveryHealth: Sendable, Equatable {
    var tracked = 0
    var uploaded = 0
    /// Processed with default settings, because the client had never had any of the workspace.
    var withoutSettings = 0
    /// Dropped by plugins for all destinations.
    var dropped = 0
    /// Refused by the server for good.
    var deadLettered = 0
    /// Events that could not be stored or processed, by reason.
    var lost: [String: Int] = [:]
    /// Events that wait now.
    var waiting = 0

    mutating func add(_ other: DeliveryHealth) {
        tracked += other.tracked
        uploaded += other.uploaded
        withoutSettings += other.withoutSettings
        dropped += other.dropped
        deadLettered += other.deadLettered
        lost.merge(other.lost, uniquingKeysWith: +)
        waiting = other.waiting
    }

    var json: JSON {
        var object = JSON.counts([
            "tracked": tracked, "uploaded": uploaded, "dropped": dropped, "deadLettered": deadLettered,
            "waiting": waiting, "withoutSettings": withoutSettings,
        ])
        if !lost.isEmpty {
            var reasons = JSONObject()
            for (reason, count) in lost.byKey() { reasons[reason] = .number(JSONNumber(count)) }
            object["lost"] = .object(reasons)
        }
        return .object(object)
    }

    init() {}

    init(_ json: JSON) {
        tracked = json["tracked"]?.count ?? 0
        uploaded = json["uploaded"]?.count ?? 0
        dropped = json["dropped"]?.count ?? 0
        withoutSettings = json["withoutSettings"]?.count ?? 0
        deadLettered = json["deadLettered"]?.count ?? 0
        waiting = json["waiting"]?.count ?? 0
        for (reason, count) in json["lost"]?.objectValue ?? [:] { lost[reason] = count.count }
    }
}
