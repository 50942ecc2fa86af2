import TributaryJSON
import WorkspaceCore

/// Stored events of a time that go to a destination once more. A destination has at most one replay.
package struct Replay: Sendable, Equatable {
    package enum State: String, Sendable {
        case running, paused
        /// Every event of it was handed over.
        case finished
        /// An operator ended it before.
        case ended
    }

    package let destination: Int64
    /// The query of the request: which events these are.
    let query: String
    /// The most events a second; 0 for as many as the destination takes.
    let rate: Int
    /// Events up to that number were looked at.
    package var position: Int64
    /// The last number that the replay looks at. Later events came on the ordinary way.
    let through: Int64
    /// Events that were handed over to the delivery, and events that consent, filters or `integrations` left out.
    package var handedOver = 0
    package var leftOut = 0
    package var state = State.running
    let administrator: String
    /// Milliseconds since 1970. It tells a replay from an earlier one of the same destination.
    package let startedAt: Int64
    var endedAt: Int64?

    /// The events of the rest, oldest first.
    func rest(of writeKey: String, limit: Int) throws(Refusal) -> EventQuery {
        var query = try ReplayQuery(query).events
        query.matches.append(EventQuery.Match(column: .writeKey, value: writeKey))
        (query.after, query.before, query.limit, query.order) = (position, through + 1, limit, .ascending)
        return query
    }

    /// How many events may be handed over at one look.
    /// - Parameters:
    ///   - waiting: how many events of the destination wait already.
    ///   - pause: the time between two looks.
    func room(waiting: Int, pause: Duration) -> Int {
        let room = max(0, Limits.replayWaiting - waiting)
        guard rate > 0 else { return room }
        return min(room, max(1, Int((Double(rate) * (pause / .seconds(1))).rounded(.down))))
    }

    var json: JSON {
        var json: JSONObject = [
            "state": .string(state.rawValue), "handedOver": .number(handedOver), "leftOut": .number(leftOut),
            "rate": rate > 0 ? .number(rate) : .null, "position": .number(position), "through": .number(through),
            "startedBy": .string(administrator), "startedAt": .time(startedAt), "endedAt": .time(endedAt),
        ]
        json["events"] = .object((try? ReplayQuery(query))?.json ?? [:])
        return .object(json)
    }
}

/// Which events a replay takes, as the request says it.
struct ReplayQuery: Sendable {
    let events: EventQuery
    let json: JSONObject
    /// The most events a second; 0 when the request names none.
    let rate: Int

    private static let columns: [EventQuery.Match.Column] = [.type, .name, .userId, .anonymousId]

    /// - Throws: `Refusal` when a value cannot be read.
    init(_ text: String) throws(Refusal) {
        let reader = QueryReader(query: text)
        var events = try reader.eventQuery(matching: Self.columns)
        events.conditions = try reader.conditions()
        let rate = try reader.number("rate") ?? 0
        guard rate <= Limits.replayRate else { throw .invalid("rate is a number from 1 to \(Limits.replayRate)") }
        (self.events, self.rate) = (events, Int(rate))
        var json: JSONObject = [:]
        for name in Self.columns.map(\.rawValue) + ["since", "until"] {
            if let value = reader.text(name) { json[name] = .string(value) }
        }
        let conditions = reader.texts("where")
        if !conditions.isEmpty { json["where"] = .array(conditions.map { .string($0) }) }
        self.json = json
    }
}
