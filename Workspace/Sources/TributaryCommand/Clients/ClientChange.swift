import TributaryJSON
import WorkspaceCore

/// A difference between two looks at the folder of a client.
enum ClientChange: Equatable {
    /// The client has stored the event since the last look.
    case came(ClientEvent)
    /// The event has left one log for another.
    case moved(from: ClientLog.Name, ClientEvent)
    /// The event is in no log any more.
    case left(ClientEvent)
    /// A fact about the client has another value; nil when it is not known any more.
    case fact(name: String, value: String?)

    /// The changes, in the order of the events and then of the facts.
    static func between(_ before: ClientInspection, _ after: ClientInspection) -> [ClientChange] {
        let (old, new) = (places(before), places(after))
        var changes = before.events.filter { new[$0.identity] == nil }.map(ClientChange.left)
        for event in after.events {
            switch old[event.identity] {
            case nil: changes.append(.came(event))
            case let earlier? where earlier.log != event.log: changes.append(.moved(from: earlier.log, event))
            default: break
            }
        }
        let (was, now) = (before.facts, after.facts)
        for (name, value) in now where was.first(where: { $0.name == name })?.value != value {
            changes.append(.fact(name: name, value: value))
        }
        for (name, _) in was where !now.contains(where: { $0.name == name }) {
            changes.append(.fact(name: name, value: nil))
        }
        return changes
    }

    private static func places(_ client: ClientInspection) -> [ClientEvent.Identity: ClientEvent] {
        Dictionary(client.events.map { ($0.identity, $0) }) { $1 }
    }

    /// The change on a line.
    var line: String {
        switch self {
        case .came(let event): "new    \(event.line)"
        case .moved(_, let event): "moves  \(event.line)"
        case .left(let event): "gone   \(event.line); \(event.log.ends)"
        case .fact(let name, let value): "now    \(name): \((value ?? "unknown").printable)"
        }
    }

    var json: JSON {
        switch self {
        case .came(let event): ["change": "new", "event": event.json]
        case .moved(let log, let event): ["change": "moves", "from": .string(log.rawValue), "event": event.json]
        case .left(let event): ["change": "gone", "event": event.json]
        case .fact(let name, let value): ["change": "fact", "name": .string(name), "value": .string(value)]
        }
    }
}

extension ClientLog.Name {
    /// The possible reasons when an event has left this log for no other.
    fileprivate var ends: String {
        switch self {
        case .pending: "the client deleted it, or processed it meanwhile"
        case .inbox: "a plugin or a filter dropped it, or the server has it already"
        case .outbox: "the server has it, or the client deleted it"
        case .deadLetters: "the client deleted it"
        }
    }
}
