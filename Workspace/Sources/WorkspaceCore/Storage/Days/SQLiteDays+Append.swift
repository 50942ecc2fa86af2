import Foundation
import GRDB

extension SQLiteDays {
    package func append(_ block: EventBlock) async throws {
        try await change {
            for (day, rows) in block.days { try self.write(rows, of: block, day) }
        }
    }

    /// A day that turns out to be broken is set aside, and a new file takes new rows.
    private func write(_ rows: [EventBlock.Row], of block: EventBlock, _ day: Day) throws {
        let hasEvents = rows.contains { $0.identity.kind == .event }
        if hasEvents { summaries.drop(day) }
        // Once more at the end: a summary that was begun in between may not have the rows.
        defer { if hasEvents { summaries.drop(day) } }
        do {
            try write(rows, of: block, day, to: files.madePool(for: day))
        } catch let error as DatabaseError where error.isDamage {
            summaries.drop(day)
            try files.setAside(day, because: error)
            try write(rows, of: block, day, to: files.madePool(for: day))
        }
        files.extend(day, with: rows, of: block.writeKeys)
        forgetFigures(of: day)
    }

    private func write(_ rows: [EventBlock.Row], of block: EventBlock, _ day: Day, to pool: DatabasePool) throws {
        try pool.write { db in
            try DaySchema.revise(db)
            for source in Set(rows.map(\.identity.source)) {
                try DaySchema.name(source, block.writeKeys[source] ?? "", db)
            }
            let events = try EventWriting(db, storedAt: block.storedAt)
            let mentions = try DayMentions(db)
            var tally = try CatalogTally(db, .adding) { [self] in try knownNames(of: $0, before: day) }
            for row in rows {
                switch row.content {
                case .event(let event):
                    try events.insert(event, row)
                    // One that is there already keeps its number, has its mentions and is counted.
                    guard db.changesCount > 0 else { continue }
                    let body = try? event.scanned()
                    try mentions.insert(DayMentions.ids(body), of: .event, row.number, besides: event.userId)
                    try tally.count(
                        CountedName(event.type, name: event.name), of: row.identity.source,
                        receivedAt: event.times.receivedAt, event.body, body)
                case .rejected(let event):
                    try DayWriting.insert(event, row, db)
                    try mentions.insert(DayMentions.ids(event.body), of: .rejected, row.number)
                case .trace(let trace, _):
                    try DayWriting.insert(trace, row, db)
                    try mentions.insert(DayMentions.ids(trace.body), of: .trace, row.number)
                case .signal(let signal):
                    try DayWriting.insert(signal, row, db)
                    try mentions.insert(DayMentions.ids(signal.body), of: .signal, row.number)
                }
            }
            try tally.write()
            // The event of a trace may be behind it in the block.
            for row in rows {
                guard case .trace(let trace, let eventAt?) = row.content else { continue }
                try DayWriting.noteStoring(of: trace.messageId, row.identity.source, eventAt, db)
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
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (receivedAt, messageId, source) DO NOTHING
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

/// The statements that write one row each of what there is little of. Their texts are those of clients, so they are
/// bound with their lengths.
private enum DayWriting {
    static func insert(_ event: RejectedEvent, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try BoundStatement(
            db,
            sql: """
                INSERT INTO rejected (sequence, source, identity, messageId, code, reason, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (identity, source) DO NOTHING
                """)
        try statement.bind(row.number, at: 1)
        try statement.bind(row.identity.source, at: 2)
        try statement.bind(event.identity, at: 3)
        try statement.bind(event.messageId, at: 4)
        try statement.bind(event.rejection.code.rawValue, at: 5)
        try statement.bind(event.rejection.reason, at: 6)
        try statement.bind(row.receivedAt, at: 7)
        try event.body.withUnsafeBytes { try statement.bind($0, at: 8) }
        try statement.run()
    }

    /// A replaced trace gets a new number, so that listeners see it again.
    static func insert(_ trace: IncomingTrace, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try BoundStatement(
            db,
            sql: """
                INSERT INTO trace (sequence, source, messageId, dropped, trackedAt, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (messageId, source) DO UPDATE SET sequence = excluded.sequence,
                    dropped = excluded.dropped, trackedAt = excluded.trackedAt, receivedAt = excluded.receivedAt,
                    body = excluded.body
                """)
        try statement.bind(row.number, at: 1)
        try statement.bind(row.identity.source, at: 2)
        try statement.bind(trace.messageId, at: 3)
        try statement.bind(trace.isDropped ? 1 : 0, at: 4)
        try statement.bind(trace.trackedAt, at: 5)
        try statement.bind(row.receivedAt, at: 6)
        try trace.body.withUnsafeBytes { try statement.bind($0, at: 7) }
        try statement.run()
    }

    /// Notes with a trace when its event was stored.
    static func noteStoring(of messageId: String, _ source: Int64, _ eventAt: Int64, _ db: Database) throws {
        let statement = try BoundStatement(
            db,
            sql: """
                UPDATE trace SET storedAt = (
                    SELECT storedAt FROM event WHERE receivedAt = ?3 AND messageId = ?1 AND source = ?2)
                WHERE messageId = ?1 AND source = ?2
                """)
        try statement.bind(messageId, at: 1)
        try statement.bind(source, at: 2)
        try statement.bind(eventAt, at: 3)
        try statement.run()
    }

    static func insert(_ signal: IncomingSignal, _ row: EventBlock.Row, _ db: Database) throws {
        let statement = try BoundStatement(
            db,
            sql: """
                INSERT INTO signal (sequence, source, messageId, type, anonymousId, number, timestamp, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (messageId, source) DO NOTHING
                """)
        try statement.bind(row.number, at: 1)
        try statement.bind(row.identity.source, at: 2)
        try statement.bind(signal.messageId, at: 3)
        try statement.bind(signal.type.rawValue, at: 4)
        try statement.bind(signal.anonymousId, at: 5)
        try statement.bind(signal.index, at: 6)
        try statement.bind(signal.timestamp, at: 7)
        try statement.bind(row.receivedAt, at: 8)
        try signal.body.withUnsafeBytes { try statement.bind($0, at: 9) }
        try statement.run()
    }
}
