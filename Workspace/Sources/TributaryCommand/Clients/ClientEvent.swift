import Foundation
import TributaryJSON
import WorkspaceCore

/// An event in a log of a client: it waits there, or the server refused it.
struct ClientEvent: Sendable, Equatable {
    /// The number of the event queue.
    let queue: UInt64
    let log: ClientLog.Name
    /// The number of the record in its log.
    let sequence: UInt64
    /// The message id; nil for a record that is no event.
    let messageId: String?
    let type: String
    /// The name of the event or of the screen; nil for types without one.
    let name: String?
    /// When the app tracked the event; for an event that was refused, when the server refused it. Milliseconds since 1970; nil when
    /// that is unknown.
    let time: Int64?
    let bytes: Int
    /// The answer with which the server refused the event.
    let refusal: String?

    /// - Parameter payload: the bytes of the record, which may be anything.
    init(_ payload: [UInt8], _ sequence: UInt64, in log: ClientLog.Name, of queue: UInt64) {
        (self.queue, self.log, self.sequence, bytes) = (queue, log, sequence, payload.count)
        let record = log.text(payload).flatMap { try? JSON.parse(Array($0)) }
        let event = log == .deadLetters ? record?["event"] : record
        messageId = event?["messageId"]?.stringValue
        type = event?["type"]?.stringValue ?? "unreadable"
        name = event?["event"]?.stringValue ?? event?["name"]?.stringValue
        refusal = log == .deadLetters ? record?["reason"]?.stringValue : nil
        time =
            switch log {
            case .inbox, .pending: log.trackedAt(payload)
            case .outbox: ClientTime.read(event?["timestamp"])
            case .deadLetters: ClientTime.read(record?["at"])
            }
    }

    /// An event that goes on to another log keeps its message id; a record without one is only itself.
    enum Identity: Hashable {
        case event(String)
        case record(queue: UInt64, log: ClientLog.Name, sequence: UInt64)
    }

    var identity: Identity {
        messageId.map { .event($0) } ?? .record(queue: queue, log: log, sequence: sequence)
    }

    /// Each event once, the oldest first. For a moment an event is in two logs; then it is in the later one.
    static func each(_ events: [ClientEvent]) -> [ClientEvent] {
        let places = Dictionary(events.map { ($0.identity, $0) }) { one, other in
            other.log.step >= one.log.step ? other : one
        }
        return events.filter { places[$0.identity] == $0 }.sorted { ($0.time ?? 0) < ($1.time ?? 0) }
    }

    /// The event and its place on a line.
    var line: String {
        let parts: [String?] = [
            time.map { ISO8601.string(milliseconds: $0) }, type, name, "\(log.state) in queue \(queue)",
            refusal.map { "refused: \($0)" },
        ]
        return parts.compactMap { $0?.printable }.joined(separator: "  ")
    }

    var json: JSON {
        [
            "queue": .number(queue), "log": .string(log.rawValue), "sequence": .number(sequence),
            "messageId": .string(messageId), "type": .string(type), "name": .string(name), "time": .time(time),
            "bytes": .number(bytes), "refusal": .string(refusal),
        ]
    }
}

extension ClientLog.Name {
    /// The place of the log on the way of an event.
    fileprivate var step: Int {
        switch self {
        case .pending: 0
        case .inbox: 1
        case .outbox: 2
        case .deadLetters: 3
        }
    }

    /// The state of an event in this log.
    var state: String {
        switch self {
        case .pending: "waits for the user's consent"
        case .inbox: "waits for plugins"
        case .outbox: "waits for the server"
        case .deadLetters: "is put aside"
        }
    }

    /// The JSON text in a record of this log; nil when the record is too short.
    func text(_ payload: [UInt8]) -> ArraySlice<UInt8>? {
        switch self {
        case .outbox, .deadLetters: return payload[...]
        case .inbox, .pending:
            // A record begins with its form and the time of the call; those of two forms name another record after that.
            let header = payload.first == 4 || payload.first == 5 ? 17 : 9
            return payload.count > header ? payload[header...] : nil
        }
    }

    /// When the app made the call of an event in the inbox or among the pending events.
    func trackedAt(_ payload: [UInt8]) -> Int64? {
        guard payload.count > 9 else { return nil }
        return ClientTime.plausible(payload[1..<9].reversed().reduce(0) { $0 << 8 | Int64($1) })
    }
}
