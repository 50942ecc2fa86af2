import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Reads the rows of a day of one machine, in the order of their numbers.
struct MovedRows {
    let day: Day
    let partitions: Int

    /// The next rows of a kind.
    /// - Parameter sequence: the number of the last row that was read.
    func next(_ kind: RowIdentity.Kind, after sequence: Int64, atMost limit: Int, _ db: Database) throws -> [MovedRow] {
        let rows = try Row.fetchAll(
            db, sql: "\(Self.selection(kind)) WHERE sequence > ? ORDER BY sequence LIMIT ?",
            arguments: [sequence, limit])
        return try rows.map { try moved($0, kind) }
    }

    /// The number of rows of a kind up to the row with this number.
    static func count(_ kind: RowIdentity.Kind, through sequence: Int64 = .max, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM \(table(kind)) WHERE sequence <= ?", arguments: [sequence]) ?? 0
    }

    private static func table(_ kind: RowIdentity.Kind) -> String {
        switch kind {
        case .event: "event"
        case .rejected: "rejected"
        case .trace: "trace"
        case .signal: "signal"
        }
    }

    private static func selection(_ kind: RowIdentity.Kind) -> String {
        let (texts, others): ([String], String) =
            switch kind {
            case .event:
                (
                    ["messageId", "type", "name", "userId", "anonymousId"],
                    "timestamp, originalTimestamp, sentAt, storedAt"
                )
            case .rejected: (["messageId", "identity", "code", "reason"], "0 AS none")
            case .trace: (["messageId"], "dropped, trackedAt")
            case .signal: (["messageId", "type", "anonymousId"], "number, timestamp")
            }
        let table = table(kind)
        return
            "SELECT sequence, source, receivedAt, \(WholeText.columns(texts, of: table)), \(others), body FROM \(table)"
    }

    private func moved(_ row: Row, _ kind: RowIdentity.Kind) throws -> MovedRow {
        let receivedAt = try row.decode(Int64.self, forColumn: "receivedAt")
        let source = try row.decode(Int64.self, forColumn: "source")
        let sequence = try row.decode(Int64.self, forColumn: "sequence")
        let (content, id, device) = try content(row, kind, receivedAt)
        let storedAt = kind == .event ? try row.decode(Int64.self, forColumn: "storedAt") : receivedAt
        let number = MovedNumber.of(sequence, source: source, device: device, partitions: partitions)
        return MovedRow(
            row: EventBlock.Row(
                identity: RowIdentity(kind: kind, source: source, id: id), number: number, day: day,
                receivedAt: receivedAt, content: content),
            sequence: sequence, storedAt: storedAt)
    }

    /// The content of a row, its id, and its device.
    private func content(
        _ row: Row, _ kind: RowIdentity.Kind, _ receivedAt: Int64
    ) throws -> (EventBlock.Content, id: String, device: String) {
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        switch kind {
        case .event:
            let event = try Self.event(row, receivedAt, body)
            return (.event(event), event.messageId, Self.device(event.anonymousId, event.userId))
        case .rejected:
            let event = try Self.rejected(row, body)
            let json = try? JSON.parse(body)
            let device = Self.device(json?["anonymousId"]?.stringValue, json?["userId"]?.stringValue)
            return (.rejected(event), event.identity, device)
        case .trace:
            let trace = IncomingTrace(
                messageId: try row.knownText("messageId"), isDropped: try row.decode(forColumn: "dropped"),
                trackedAt: try row.decode(forColumn: "trackedAt"), body: body)
            return (.trace(trace), trace.messageId, trace.messageId)
        case .signal:
            let signal = try Self.signal(row, body)
            return (.signal(signal), signal.messageId, Self.device(signal.anonymousId, nil))
        }
    }

    /// The device by which requests are split: see `RequestScan.devices`.
    static func device(_ anonymousId: String?, _ userId: String?) -> String {
        [anonymousId, userId].lazy.compactMap { $0 }.first { !$0.isBlank } ?? ""
    }

    // MARK: Contents

    private static func event(_ row: Row, _ receivedAt: Int64, _ body: [UInt8]) throws -> IncomingEvent {
        let type = try row.knownText("type")
        guard let type = EventType(rawValue: type) else { throw unknown("an event", "type", type) }
        return IncomingEvent(
            messageId: try row.knownText("messageId"), type: type, name: try row.wholeText("name"),
            userId: try row.wholeText("userId"), anonymousId: try row.wholeText("anonymousId"),
            times: EventTimes(
                timestamp: try row.decode(forColumn: "timestamp"),
                originalTimestamp: try row.decode(forColumn: "originalTimestamp"),
                sentAt: try row.decode(forColumn: "sentAt"), receivedAt: receivedAt),
            body: body)
    }

    private static func rejected(_ row: Row, _ body: [UInt8]) throws -> RejectedEvent {
        let code = try row.knownText("code")
        guard let code = Rejection.Code(rawValue: code) else { throw unknown("a rejected event", "code", code) }
        return RejectedEvent(
            index: 0, messageId: try row.wholeText("messageId"), madeId: try row.knownText("identity"),
            rejection: Rejection(code, try row.knownText("reason")), body: body)
    }

    private static func signal(_ row: Row, _ body: [UInt8]) throws -> IncomingSignal {
        let type = try row.knownText("type")
        guard let type = SignalType(rawValue: type) else { throw unknown("a signal", "type", type) }
        return IncomingSignal(
            messageId: try row.knownText("messageId"), type: type, anonymousId: try row.wholeText("anonymousId"),
            index: try row.decode(forColumn: "number"), timestamp: try row.decode(forColumn: "timestamp"), body: body)
    }

    private static func unknown(_ what: String, _ name: String, _ value: String) -> WorkspaceError {
        WorkspaceError(.dataFolder, "\(what) has a \(name) that this version does not know: \(value)")
    }
}

/// A row of one machine on its way into a cluster.
struct MovedRow: Sendable {
    let row: EventBlock.Row
    /// The number on one machine.
    let sequence: Int64
    let storedAt: Int64
}
