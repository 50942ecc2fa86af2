import Foundation
import GRDB

extension SQLiteDays {
    func append(_ block: EventBlock) async throws {
        try await change {
            for (day, rows) in block.days { try self.write(rows, day, storedAt: block.storedAt) }
        }
    }

    /// A day that turns out to be broken is set aside, and a new file takes what comes.
    private func write(_ rows: [EventBlock.Row], _ day: Day, storedAt: Int64) throws {
        do {
            try write(rows, to: files.madePool(for: day), storedAt: storedAt)
        } catch let error as DatabaseError where error.isDamage {
            try files.setAside(day, because: error)
            try write(rows, to: files.madePool(for: day), storedAt: storedAt)
        }
        files.extend(day, with: rows)
        forgetFigures(of: day)
    }

    private func write(_ rows: [EventBlock.Row], to pool: DatabasePool, storedAt: Int64) throws {
        try pool.write { db in
            let events = try EventWriting(db, storedAt: storedAt)
            for row in rows {
                switch row.content {
                case .event(let event): try events.insert(event, row)
                case .rejected(let event): try DayWriting.insert(event, row, db)
                case .trace(let trace): try DayWriting.insert(trace, row, db)
                case .signal(let signal): try DayWriting.insert(signal, row, db)
                }
            }
        }
    }
}

/// Writes events, of which there are far more than of everything else.
private struct EventWriting {
    private let statement: BoundStatement
    private let storedAt: Int64

    init(_ db: Database, storedAt: Int64) throws {
        statement = try BoundStatement(
            db,
            sql: """
                INSERT INTO event (sequence, source, messageId, type, name, userId, anonymousId, timestamp,
                    originalTimestamp, sentAt, receivedAt, storedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (messageId, source) DO NOTHING
                """)
        self.storedAt = storedAt
    }

    func insert(_ event: IncomingEvent, _ row: EventBlock.Row) throws {
        try statement.bind(row.number, at: 1)
        try statement.bind(row.identity.source, at: 2)
        try statement.bind(event.messageId, at: 3)
        try statement.bind(event.type.rawValue, at: 4)
        try statement.bind(event.name, at: 5)
        try statement.bind(event.userId, at: 6)
        try statement.bind(event.anonymousId, at: 7)
        try statement.bind(event.times.timestamp, at: 8)
        try statement.bind(event.times.originalTimestamp, at: 9)
        try statement.bind(event.times.sentAt, at: 10)
        try statement.bind(event.times.receivedAt, at: 11)
        try statement.bind(storedAt, at: 12)
        try event.body.withUnsafeBytes { try statement.bind($0, at: 13) }
        try statement.run()
    }
}

/// The statements that write one row each of what there is little of.
private enum DayWriting {
    static func insert(_ event: RejectedEvent, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO rejected (sequence, source, identity, messageId, code, reason, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (identity, source) DO NOTHING
                """)
        try statement.execute(arguments: [
            row.number, row.identity.source, event.identity, event.messageId, event.rejection.code.rawValue,
            event.rejection.reason, row.receivedAt, Data(event.body),
        ])
    }

    /// A replaced trace gets a new number, so that listeners see it again.
    static func insert(_ trace: IncomingTrace, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO trace (sequence, source, messageId, dropped, trackedAt, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (messageId, source) DO UPDATE SET sequence = excluded.sequence,
                    dropped = excluded.dropped, trackedAt = excluded.trackedAt, receivedAt = excluded.receivedAt,
                    body = excluded.body
                """)
        try statement.execute(arguments: [
            row.number, row.identity.source, trace.messageId, trace.isDropped, trace.trackedAt, row.receivedAt,
            Data(trace.body),
        ])
    }

    static func insert(_ signal: IncomingSignal, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO signal (sequence, source, messageId, type, anonymousId, number, timestamp, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (messageId, source) DO NOTHING
                """)
        try statement.execute(arguments: [
            row.number, row.identity.source, signal.messageId, signal.type.rawValue, signal.anonymousId,
            signal.index, signal.timestamp, row.receivedAt, Data(signal.body),
        ])
    }
}
