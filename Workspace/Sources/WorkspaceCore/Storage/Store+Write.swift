import Foundation
package import GRDB
import Logging

extension Store {
    /// Stores requests, and how far in the journal they came from. Called by one at a time.
    ///
    /// It writes the rows first, and then, in one transaction, the index of messages, the counts and the place. After
    /// an interruption in between, the next attempt repairs the state: the place is the old one, the index knows none
    /// of the rows, and the rows that are there are not written twice.
    ///
    /// A message id that the source already has is counted as a duplicate and changes nothing. A trace replaces an
    /// older one of the same message.
    /// - Parameters:
    ///   - acknowledged: the last request that was acknowledged by now, if that is behind the place.
    ///   - backlog: the stored requests behind the place.
    package func write(
        _ batches: [IncomingBatch], through place: JournalOffset, acknowledged: UInt64 = 0,
        backlog: ScriptBacklog = .none, now: @escaping @Sendable () -> Int64
    ) async throws -> [Receipt] {
        let highest = try await storage.highest()
        let storedAt = now()
        let mayHaveTraces = await storage.mayHaveTraces()
        let sources = Set(batches.map(\.source))
        let (writeKeys, identity, numbers, judges) = try await pool.read { [planJudges] db in
            (
                try Self.writeKeys(of: sources, db), try Self.identity(through: place, db), try Self.numbers(db),
                try Self.planJudges(of: sources, planJudges, db)
            )
        }
        var plan = try WritePlan(
            batches, of: writeKeys, identity: identity, numbers: .max(highest, numbers), storedAt: storedAt,
            looksForTraces: mayHaveTraces, judges: judges, messages)
        for stray in plan.strayTraces {
            let source = stray.event.identity.source
            guard let trace = try await storage.trace(stray.messageId, source: source, day: stray.day) else { continue }
            plan.add(trace, of: stray.event)
        }
        try await storage.append(plan.block)
        try await confirm(plan, through: place, acknowledged: acknowledged, backlog)
        await moveMessages()
        return plan.receipts
    }

    /// After a failure, a later block tries again. Until then the messages stay in memory and in the database.
    private func moveMessages() async {
        do {
            if try await messages.moveToFilesApart(pool) { messages.merge(pool, logger) }
        } catch {
            logger.warning("the newest message ids cannot be written to a file", metadata: ["error": "\(error)"])
        }
    }

    /// The stored requests behind the place in the journal.
    package func scriptBacklog() throws -> ScriptBacklog { try pool.read(Self.scriptBacklog) }

    /// How far the journal was indexed; nil when it never was.
    package func indexed() throws -> JournalOffset? { try pool.read(Self.indexed) }

    /// The highest sequence of an event, a trace or a signal that is confirmed; 0 when there was none. No row that comes
    /// later has a lower one.
    package func lastSequence() async throws -> Int64 {
        if let confirmed = await storage.confirmed() { return confirmed }
        return try await pool.read(Self.numbers).stream
    }

    /// Notes how far a journal was indexed and what it acknowledged.
    package static func setIndexed(
        _ place: JournalOffset, acknowledged: UInt64, backlog: ScriptBacklog = .none, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO indexed (id, epoch, sequence, acknowledged, scripts) VALUES (1, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, sequence = excluded.sequence,
                    acknowledged = excluded.acknowledged, scripts = excluded.scripts
                """,
            arguments: [
                Int64(bitPattern: place.epoch), Int64(place.sequence), Int64(max(place.sequence, acknowledged)),
                backlog.text,
            ])
    }

    private func confirm(
        _ plan: WritePlan, through place: JournalOffset, acknowledged: UInt64, _ backlog: ScriptBacklog
    ) async throws {
        let newMessages = plan.newMessages
        let days = storage.hasDayFiles ? Set(plan.block.days.map(\.day)) : []
        try await pool.write { db in
            try DayRecords.noteKept(days, db)
            try MessageIndex.note(newMessages, db)
            for (counter, amount) in plan.counts { try Self.add(amount, to: counter, db) }
            try forgetOldPlanCounts(plan.counts, db)
            try db.execute(
                sql: "UPDATE position SET stream = ?, rejected = ?",
                arguments: [plan.numbers.stream, plan.numbers.rejected])
            try Self.setIndexed(place, acknowledged: acknowledged, backlog: backlog, db)
        }
        messages.add(newMessages)
    }

    /// The write keys of sources. Nothing may be stored for a missing source, because no query could find it.
    private static func writeKeys(of sources: Set<Int64>, _ db: Database) throws -> [Int64: String] {
        var writeKeys: [Int64: String] = [:]
        for source in sources {
            let sql = "SELECT writeKey FROM source WHERE id = ?"
            guard let writeKey = try String.fetchOne(db, sql: sql, arguments: [source]) else {
                throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY, message: "there is no source \(source)")
            }
            writeKeys[source] = writeKey
        }
        return writeKeys
    }

    private static func identity(through place: JournalOffset, _ db: Database) throws -> EventBlock.Identity {
        let before = try indexed(db)
        return EventBlock.Identity(
            epoch: place.epoch, after: before?.epoch == place.epoch ? before?.sequence ?? 0 : 0,
            through: place.sequence)
    }

    package static func indexed(_ db: Database) throws -> JournalOffset? {
        try Row.fetchOne(db, sql: "SELECT epoch, sequence FROM indexed").map { row in
            JournalOffset(
                epoch: UInt64(bitPattern: try row.decode(Int64.self, forColumn: "epoch")),
                sequence: UInt64(try row.decode(Int64.self, forColumn: "sequence")))
        }
    }

    /// The stored requests behind the place in the journal.
    package static func scriptBacklog(_ db: Database) throws -> ScriptBacklog {
        ScriptBacklog(text: try String.fetchOne(db, sql: "SELECT scripts FROM indexed") ?? "")
    }

    /// The last request that is known to have been acknowledged; 0 when nothing is known of it.
    package static func acknowledged(_ db: Database) throws -> UInt64 {
        UInt64(clamping: try Int64.fetchOne(db, sql: "SELECT acknowledged FROM indexed") ?? 0)
    }

    package static func numbers(_ db: Database) throws -> RowNumbers {
        try Row.fetchOne(db, sql: "SELECT stream, rejected FROM position").map { row in
            RowNumbers(
                stream: try row.decode(Int64.self, forColumn: "stream"),
                rejected: try row.decode(Int64.self, forColumn: "rejected"))
        } ?? RowNumbers()
    }

    static func add(_ amount: Int, to counter: WritePlan.Counter, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO counter (source, name, value) VALUES (?, ?, ?)
                ON CONFLICT (source, name) DO UPDATE SET value = value + excluded.value
                """)
        try statement.execute(arguments: [counter.source, counter.name, amount])
    }
}
