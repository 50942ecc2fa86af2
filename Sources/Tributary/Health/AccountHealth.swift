import TributaryJSON

/// Counts since the last report with which a server can account for every event, beside those of delivery.
struct AccountHealth: Sendable, Equatable {
    /// How many more events wait on the device than when the counting began; below 0 when they are fewer. Events that are not
    /// processed, and events that wait for the user's consent, wait, too.
    var waiting = 0
    /// Deleted before a server had them, because the app or the user wanted that.
    var deleted = 0
    /// Not for the server, as settings or the event itself say.
    var notChosen = 0
    var losses = EventLosses()

    mutating func add(_ other: AccountHealth) {
        waiting += other.waiting
        deleted += other.deleted
        notChosen += other.notChosen
        losses.add(other.losses)
    }

    var json: JSON {
        var object = JSON.counts(["waiting": waiting, "deleted": deleted, "notChosen": notChosen])
        let sorted = losses.counts.byKey()
        if !sorted.isEmpty { object["events"] = .array(sorted.map { $0.value.json(named: $0.key) }) }
        return .object(object)
    }

    init() {}

    init(_ json: JSON) {
        waiting = Self.change(json["waiting"])
        deleted = json["deleted"]?.count ?? 0
        notChosen = json["notChosen"]?.count ?? 0
        for event in json["events"]?.elements ?? [] {
            losses.count(event["name"]?.stringValue ?? "") { $0.add(EventLosses.Counts(event)) }
        }
    }

    private static func change(_ json: JSON?) -> Int {
        guard let number = json?.numberValue?.int64, number < 0 else { return json?.count ?? 0 }
        return Int(max(number, -1_000_000_000))
    }
}

extension EventLosses.Counts {
    fileprivate func json(named name: String) -> JSON {
        var object = JSON.counts(["events": events])
        object["name"] = .string(name.cut(to: FaultNote.nameBytes))
        if !plugins.isEmpty { object["plugins"] = Self.json(plugins) }
        if !rules.isEmpty { object["rules"] = Self.json(rules) }
        return .object(object)
    }

    private static func json(_ counts: [String: Int]) -> JSON {
        var object = JSONObject()
        for (name, count) in counts.byKey() {
            let name = name.cut(to: FaultNote.nameBytes)
            object[name] = .number(JSONNumber((object[name]?.count ?? 0) + count))
        }
        return .object(object)
    }

    fileprivate init(_ json: JSON) {
        self.init()
        events = json["events"]?.count ?? 0
        for (name, count) in json["plugins"]?.objectValue ?? [:] { drop(count.count, plugin: name) }
        for (name, count) in json["rules"]?.objectValue ?? [:] { drop(count.count, rule: name) }
    }
}
