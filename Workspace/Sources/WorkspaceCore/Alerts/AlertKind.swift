import TributaryJSON

/// The state that an alert rule watches for.
package enum AlertKind: Sendable, Equatable {
    /// No event of that name came for so many minutes.
    case silence(writeKey: String, event: String, minutes: Int64)
    /// More than so many percent of the events of the last minutes were rejected, when there were enough events.
    case rejected(writeKey: String, percent: Int64, minutes: Int64, atLeast: Int64)
    /// The oldest event that waits for the destination came so many minutes ago.
    case lag(writeKey: String, destination: String, minutes: Int64)
    /// The destination has so many dead letters.
    case deadLetters(writeKey: String, destination: String, atLeast: Int64)
    /// At least so many events of the last minutes differed from the tracking plan: of one planned event, or of all names.
    case plan(writeKey: String, event: String?, minutes: Int64, atLeast: Int64)
    /// A version of the app lost more than so many percent of its events in the last minutes, when enough devices reported it.
    case loss(writeKey: String, percent: Int64, minutes: Int64, atLeast: Int64)
    /// Less than so many percent of the disk of the data folder are free.
    case disk(percent: Int64)

    package static let names = ["silence", "rejected", "lag", "deadLetters", "plan", "loss", "disk"]

    package var name: String {
        switch self {
        case .silence: "silence"
        case .rejected: "rejected"
        case .lag: "lag"
        case .deadLetters: "deadLetters"
        case .plan: "plan"
        case .loss: "loss"
        case .disk: "disk"
        }
    }

    /// The source that it is about; nil for the server.
    package var writeKey: String? {
        switch self {
        case .silence(let writeKey, _, _), .rejected(let writeKey, _, _, _), .lag(let writeKey, _, _),
            .deadLetters(let writeKey, _, _), .plan(let writeKey, _, _, _), .loss(let writeKey, _, _, _):
            writeKey
        case .disk: nil
        }
    }

    package var destination: String? {
        switch self {
        case .lag(_, let destination, _), .deadLetters(_, let destination, _): destination
        case .silence, .rejected, .plan, .loss, .disk: nil
        }
    }

    /// The members of a rule of this kind.
    static func members(of name: String) -> [String] {
        switch name {
        case "silence": ["writeKey", "event", "minutes"]
        case "rejected", "loss": ["writeKey", "percent", "minutes", "atLeast"]
        case "lag": ["writeKey", "destination", "minutes"]
        case "deadLetters": ["writeKey", "destination", "atLeast"]
        case "plan": ["writeKey", "event", "minutes", "atLeast"]
        default: ["percent"]
        }
    }

    /// - Throws: `Refusal` with the first problem.
    init(_ object: JSONObject) throws(Refusal) {
        let names = Self.names.joined(separator: ", ")
        guard let name = object["kind"]?.stringValue, Self.names.contains(name) else {
            throw .invalid("an alert rule has a kind: \(names)")
        }
        let members = AlertMembers(object)
        switch name {
        case "silence":
            self = .silence(
                writeKey: try members.text("writeKey", atMost: Limits.writeKeyLength),
                event: try members.text("event", atMost: Limits.identifierLength),
                minutes: try members.number("minutes", in: 1...Limits.alertMinutes, or: 30))
        case "rejected":
            self = .rejected(
                writeKey: try members.text("writeKey", atMost: Limits.writeKeyLength),
                percent: try members.number("percent", in: 1...99, or: 5),
                minutes: try members.number("minutes", in: 1...Limits.alertMinutes, or: 30),
                atLeast: try members.number("atLeast", in: 1...Limits.alertEvents, or: 20))
        case "lag":
            self = .lag(
                writeKey: try members.text("writeKey", atMost: Limits.writeKeyLength),
                destination: try members.text("destination", atMost: Limits.destinationNameLength),
                minutes: try members.number("minutes", in: 1...Limits.alertMinutes, or: 5))
        case "deadLetters":
            self = .deadLetters(
                writeKey: try members.text("writeKey", atMost: Limits.writeKeyLength),
                destination: try members.text("destination", atMost: Limits.destinationNameLength),
                atLeast: try members.number("atLeast", in: 1...Limits.alertEvents, or: 1))
        case "plan":
            let event = object["event"].map { !$0.isNull } ?? false
            self = .plan(
                writeKey: try members.text("writeKey", atMost: Limits.writeKeyLength),
                event: event ? try members.text("event", atMost: Limits.identifierLength) : nil,
                minutes: try members.number("minutes", in: 1...Limits.alertMinutes, or: 30),
                atLeast: try members.number("atLeast", in: 1...Limits.alertEvents, or: 10))
        case "loss":
            self = .loss(
                writeKey: try members.text("writeKey", atMost: Limits.writeKeyLength),
                percent: try members.number("percent", in: 1...99, or: 5),
                minutes: try members.number("minutes", in: 60...Limits.alertMinutes, or: 1_440),
                atLeast: try members.number("atLeast", in: 1...Limits.alertEvents, or: 20))
        default:
            self = .disk(percent: try members.number("percent", in: 1...99, or: 10))
        }
    }

    var json: JSONObject {
        switch self {
        case .silence(let writeKey, let event, let minutes):
            ["kind": "silence", "writeKey": .string(writeKey), "event": .string(event), "minutes": .number(minutes)]
        case .rejected(let writeKey, let percent, let minutes, let atLeast):
            [
                "kind": "rejected", "writeKey": .string(writeKey), "percent": .number(percent),
                "minutes": .number(minutes), "atLeast": .number(atLeast),
            ]
        case .lag(let writeKey, let destination, let minutes):
            [
                "kind": "lag", "writeKey": .string(writeKey), "destination": .string(destination),
                "minutes": .number(minutes),
            ]
        case .deadLetters(let writeKey, let destination, let atLeast):
            [
                "kind": "deadLetters", "writeKey": .string(writeKey), "destination": .string(destination),
                "atLeast": .number(atLeast),
            ]
        case .plan(let writeKey, let event, let minutes, let atLeast):
            JSONObject(withoutNulls: [
                "kind": "plan", "writeKey": .string(writeKey), "event": .string(event), "minutes": .number(minutes),
                "atLeast": .number(atLeast),
            ])
        case .loss(let writeKey, let percent, let minutes, let atLeast):
            [
                "kind": "loss", "writeKey": .string(writeKey), "percent": .number(percent),
                "minutes": .number(minutes), "atLeast": .number(atLeast),
            ]
        case .disk(let percent): ["kind": "disk", "percent": .number(percent)]
        }
    }
}

/// Reads the members of a rule.
private struct AlertMembers {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func text(_ name: String, atMost length: Int) throws(Refusal) -> String {
        guard let text = object[name]?.stringValue, (1...length).contains(text.count) else {
            throw .invalid("\(name) is a text of 1 to \(length) characters")
        }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int64>, or usual: Int64) throws(Refusal) -> Int64 {
        try object.member(name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.numberValue?.int64.flatMap { range.contains($0) ? $0 : nil }
        } ?? usual
    }
}
