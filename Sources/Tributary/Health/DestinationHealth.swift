import TributaryJSON

/// Counts the outcomes of one destination's events since the last report.
struct DestinationHealth: Sendable, Equatable {
    var delivered = 0
    /// Kept back by a filter.
    var filtered = 0
    /// Kept back by a plugin.
    var dropped = 0
    /// Lost because too many waited for it.
    var lost = 0
    /// How often a call of it did not return.
    var stuck = 0

    mutating func add(_ other: DestinationHealth) {
        delivered += other.delivered
        filtered += other.filtered
        dropped += other.dropped
        lost += other.lost
        stuck += other.stuck
    }

    func json(key: String) -> JSON {
        var object = JSON.counts([
            "delivered": delivered, "filtered": filtered, "dropped": dropped, "lost": lost, "stuck": stuck,
        ])
        object["key"] = .string(key.cut(to: FaultNote.nameBytes))
        return .object(object)
    }

    init() {}

    init(_ json: JSON) {
        delivered = json["delivered"]?.count ?? 0
        filtered = json["filtered"]?.count ?? 0
        dropped = json["dropped"]?.count ?? 0
        lost = json["lost"]?.count ?? 0
        stuck = json["stuck"]?.count ?? 0
    }
}
