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
            for row in rows {
                switch row.content {
                case .event(let event): try DayWriting.insert(event, row, storedAt: storedAt, db)
                case .rejected(let event): try DayWriting.insert(event, row, db)
                case .trace(let trace): try DayWriting.insert(trace, row, db)
                case .signal(let signal): try DayWriting.insert(signal, row, db)
                }
            }
        }
    }
}

/// The statements that write one row each.
private enum DayWriting {
    static func insert(
        _ event: IncomingEvent, _ row: EventBlock.Row, storedAt: Int64, _ db: Database
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO event (sequence, source, messageId, type, name, userId, anonymousId, timestamp,
                    originalTimestamp, sentAt, receivedAt, storedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (messageId, source) DO NOTHING
                """)
        try statement.execute(arguments: [
            row.number, row.identity.source, event.messageId, event.type.rawValue, event.name, event.userId,
            event.anonymousId, event.times.timestamp, event.times.originalTimestamp, event.times.sentAt,
            event.times.receivedAt, storedAt, Data(event.body),
        ])
    }

    static func insert(_ event: RejectedEvent, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO rejected (sequence, source, identity, messageId, code, reason, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (identity, source) DO NOTHING
                """)
        try statement.execute(arguments: [
            row.number, row.identity.source, row.identity.id, event.messageId, event.rejection.code.rawValue,
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
