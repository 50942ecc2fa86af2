import Foundation
import GRDB

extension Store {
    /// Stores batches, and how far in the journal they came from, in one transaction: all of it or nothing.
    ///
    /// A message id that the source already has is counted as a duplicate and changes nothing. A trace replaces an
    /// older one of the same message.
    func write(
        _ batches: [IncomingBatch], through place: JournalPlace, now: @escaping @Sendable () -> Int64
    ) async throws -> [Receipt] {
        try await pool.write { db in
            var transaction = WriteTransaction(db: db, nextSequence: try Self.lastSequence(db) + 1, storedAt: now())
            let receipts = try batches.map { try transaction.write($0) }
            try db.execute(
                sql: """
                    INSERT INTO indexed (id, epoch, sequence) VALUES (1, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence
                    """,
                arguments: [Int64(bitPattern: place.epoch), Int64(place.sequence)])
            return receipts
        }
    }

    /// How far the journal was indexed; nil when it never was.
    func indexed() throws -> JournalPlace? {
        try pool.read { db in
            try Row.fetchOne(db, sql: "SELECT epoch, sequence FROM indexed").map { row in
                JournalPlace(
                    epoch: UInt64(bitPattern: try row.decode(Int64.self, forColumn: "epoch")),
                    sequence: UInt64(try row.decode(Int64.self, forColumn: "sequence")))
            }
        }
    }

    /// The highest sequence of an event, a trace or a signal; 0 when there is none.
    func lastSequence() async throws -> Int64 { try await pool.read(Self.lastSequence) }

    static func lastSequence(_ db: Database) throws -> Int64 {
        // The floor is what numbers had reached when rows were deleted.
        let floor = "ifnull((SELECT max(value) FROM counter WHERE name = 'floor'), 0)"
        let tables = ["event", "trace", "signal"].map { "ifnull((SELECT max(sequence) FROM \($0)), 0)" } + [floor]
        let sql = "SELECT max(\(tables.joined(separator: ", ")))"
        return try Int64.fetchOne(db, sql: sql) ?? 0
    }
}

/// One transaction under way.
private struct WriteTransaction {
    let db: Database
    var nextSequence: Int64
    let storedAt: Int64

    mutating func write(_ batch: IncomingBatch) throws -> Receipt {
        var counts: [String: Int] = [:]
        for event in batch.events {
            if try insert(event, batch) {
                counts["stored", default: 0] += 1
                counts["type:\(event.type.rawValue)", default: 0] += 1
            } else {
                counts["duplicates", default: 0] += 1
            }
        }
        for event in batch.rejected {
            if try insert(event, batch) { counts["rejected", default: 0] += 1 }
        }
        for trace in batch.traces { try insert(trace, batch) }
        for signal in batch.signals where try insert(signal, batch) { counts["signals", default: 0] += 1 }
        let day = Store.dayCounter(batch.receivedAt / QuotaLedger.dayMilliseconds)
        counts[day] = batch.events.count + batch.rejected.count + batch.signals.count + batch.traces.count
        for (name, count) in counts { try add(count, to: name, batch) }
        return Receipt(
            stored: counts["stored"] ?? 0, duplicates: counts["duplicates"] ?? 0, rejected: counts["rejected"] ?? 0)
    }

    /// True when the event was not there yet.
    private mutating func insert(_ event: IncomingEvent, _ batch: IncomingBatch) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO event (sequence, source, messageId, type, name, userId, anonymousId, timestamp,
                    originalTimestamp, sentAt, receivedAt, storedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (messageId, source) DO NOTHING
                """)
        try statement.execute(arguments: [
            nextSequence, batch.source, event.messageId, event.type.rawValue, event.name, event.userId,
            event.anonymousId, event.times.timestamp, event.times.originalTimestamp, event.times.sentAt,
            event.times.receivedAt, storedAt, Data(event.body),
        ])
        guard db.changesCount > 0 else { return false }
        nextSequence += 1
        return true
    }

    /// True when the event was not there yet.
    private func insert(_ event: RejectedEvent, _ batch: IncomingBatch) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO rejected (source, messageId, code, reason, receivedAt, body) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """)
        try statement.execute(arguments: [
            batch.source, event.messageId, event.rejection.code.rawValue, event.rejection.reason, batch.receivedAt,
            Data(event.body),
        ])
        return db.changesCount > 0
    }

    /// A replaced trace gets a new sequence, so that listeners see it again.
    private mutating func insert(_ trace: IncomingTrace, _ batch: IncomingBatch) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO trace (sequence, source, messageId, dropped, trackedAt, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (messageId, source) DO UPDATE SET sequence = excluded.sequence,
                    dropped = excluded.dropped, trackedAt = excluded.trackedAt, receivedAt = excluded.receivedAt,
                    body = excluded.body
                """)
        try statement.execute(arguments: [
            nextSequence, batch.source, trace.messageId, trace.isDropped, trace.trackedAt, batch.receivedAt,
            Data(trace.body),
        ])
        nextSequence += 1
    }

    /// True when the signal was not there yet.
    private mutating func insert(_ signal: IncomingSignal, _ batch: IncomingBatch) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO signal (sequence, source, messageId, type, anonymousId, number, timestamp, receivedAt, body)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (messageId, source) DO NOTHING
                """)
        try statement.execute(arguments: [
            nextSequence, batch.source, signal.messageId, signal.type.rawValue, signal.anonymousId, signal.index,
            signal.timestamp, batch.receivedAt, Data(signal.body),
        ])
        guard db.changesCount > 0 else { return false }
        nextSequence += 1
        return true
    }

    private func add(_ count: Int, to name: String, _ batch: IncomingBatch) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO counter (source, name, value) VALUES (?, ?, ?)
                ON CONFLICT (source, name) DO UPDATE SET value = value + excluded.value
                """)
        try statement.execute(arguments: [batch.source, name, count])
    }
}
