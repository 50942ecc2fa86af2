package import TributaryJSON

/// Counts a version of the live plugins that runs beside the present one without touching an event, since the last report.
package struct ShadowHealth: Sendable, Equatable {
    /// Differences with counts of their own. More of them are counted together in `differencesLeftOut`.
    package static let differences = 20

    /// Counts of its scripts. `events` are the compared ones.
    package var run: VersionHealth
    /// The number of events with each difference from the present version.
    package private(set) var differences: [EventDifference: Int] = [:]
    /// The number of differences without counts of their own.
    package private(set) var differencesLeftOut = 0

    package init(run: VersionHealth) { self.run = run }

    package var version: String { run.version }

    package var isEmpty: Bool { run.isEmpty && differences.isEmpty && differencesLeftOut == 0 }

    /// Whether something went wrong that its author wants to know soon.
    package var hasFaults: Bool { run.hasFaults }

    package mutating func count(_ difference: EventDifference, times: Int = 1) {
        if differences[difference] != nil || differences.count < Self.differences {
            differences[difference, default: 0] += times
        } else {
            differencesLeftOut += times
        }
    }

    mutating func add(_ other: ShadowHealth) {
        run.add(other.run)
        for (difference, times) in other.differences.sorted(by: { $0.key < $1.key }) { count(difference, times: times) }
        differencesLeftOut += other.differencesLeftOut
    }

    /// Leaves out a plugin, or the difference with the fewest events.
    mutating func leaveOut() -> Bool {
        if run.leaveOutPlugin(evenWithFaults: true) { return true }
        guard let least = differences.min(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return false }
        differences[least.key] = nil
        differencesLeftOut += least.value
        return true
    }

    // MARK: JSON

    package var json: JSON {
        var json = run.json
        if !differences.isEmpty {
            json["differences"] = .array(
                differences.sorted { $0.key < $1.key }.map { difference, times in
                    var json = difference.json
                    json["count"] = .number(JSONNumber(times))
                    return json
                })
        }
        if differencesLeftOut > 0 { json["differencesLeftOut"] = .number(JSONNumber(differencesLeftOut)) }
        return json
    }

    init?(_ json: JSON) {
        guard let run = VersionHealth(json) else { return nil }
        self.init(run: run)
        for member in json["differences"]?.elements ?? [] {
            if let difference = EventDifference(member), let times = member["count"]?.count, times > 0 {
                count(difference, times: times)
            }
        }
        differencesLeftOut += json["differencesLeftOut"]?.count ?? 0
    }
}

/// A difference between the outcomes of an event under two versions of the live plugins. It has no values, because values are
/// data of a user.
package struct EventDifference: Sendable, Hashable, Comparable {
    package enum Kind: String, Sendable {
        /// The event comes out with another value of a field.
        case changed
        /// The event comes out under the present version only.
        case dropped
        /// The event comes out under the other version only.
        case made
    }

    /// Bytes of the name of an event, and of a field.
    static let nameBytes = 60

    package let kind: Kind
    /// The name of the event; its type when it has no name.
    package let event: String
    /// The path of the field, such as `properties.total`; empty unless a field has changed.
    package let field: String

    package init(_ kind: Kind, event: String, field: String = "") {
        self.kind = kind
        self.event = event.cut(to: Self.nameBytes)
        self.field = field.cut(to: Self.nameBytes)
    }

    package static func < (one: EventDifference, other: EventDifference) -> Bool {
        (one.event, one.kind.rawValue, one.field) < (other.event, other.kind.rawValue, other.field)
    }

    // MARK: JSON

    var json: JSON {
        var json: JSON = ["kind": .string(kind.rawValue), "event": .string(event)]
        if !field.isEmpty { json["field"] = .string(field) }
        return json
    }

    init?(_ json: JSON) {
        guard let kind = json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)), let event = json["event"]?.stringValue
        else { return nil }
        self.init(kind, event: event, field: json["field"]?.stringValue ?? "")
    }
}
