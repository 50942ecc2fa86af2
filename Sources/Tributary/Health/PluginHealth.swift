import TributaryJSON

/// Counts the work of one live plugin since the last report.
package struct PluginHealth: Sendable, Equatable {
    /// Events that it was given.
    package var seen = 0
    package var changed = 0
    package var dropped = 0
    /// Events and notices in which it threw or returned no event.
    package var faults = 0
    /// Events and notices in which it broke its budget.
    package var breaches = 0
    /// Whether it was switched off until the next version.
    package var isOff = false
    /// Its first fault.
    package var first: FaultNote?

    package init() {}

    var hasFaults: Bool { faults + breaches > 0 || isOff }

    mutating func add(_ other: PluginHealth) {
        seen += other.seen
        changed += other.changed
        dropped += other.dropped
        faults += other.faults
        breaches += other.breaches
        isOff = isOff || other.isOff
        first = first ?? other.first
    }

    func json(named name: String) -> JSON {
        var object = JSON.counts([
            "seen": seen, "changed": changed, "dropped": dropped, "faults": faults, "breaches": breaches,
        ])
        object["name"] = .string(name.cut(to: FaultNote.nameBytes))
        if isOff { object["isOff"] = true }
        object["fault"] = first?.json
        return .object(object)
    }

    init(_ json: JSON) {
        seen = json["seen"]?.count ?? 0
        changed = json["changed"]?.count ?? 0
        dropped = json["dropped"]?.count ?? 0
        faults = json["faults"]?.count ?? 0
        breaches = json["breaches"]?.count ?? 0
        isOff = json["isOff"] == .bool(true)
        first = FaultNote(json["fault"])
    }
}
