import GRDB
import HTTPTypes
import Logging
import TributaryJSON

/// Takes a source out of a running workspace, with everything that it has.
struct SourceRemoval: Sendable {
    let store: Store
    let sources: SourceRegistry
    let journal: IngestJournal
    let readYourWrites: ReadYourWrites
    let supervisor: ForwardingSupervisor
    let now: @Sendable () -> Int64

    /// Removes the events of a source first and the source last: when something stops it in between, the source is still
    /// there and can be removed again. The bytes are gone from the files of the workspace then, as after an erasure.
    /// - Returns: what went.
    func remove(_ writeKey: String) async throws -> JSON {
        let source = try await sources.known(writeKey)
        await sources.close(source)
        do {
            let last = journal.lastSequence
            // What was acknowledged before goes as well, so it has to be stored first.
            guard await readYourWrites.isCaughtUp(within: Limits.erasurePatience) else {
                throw APIError(.serviceUnavailable, "events still wait to be stored; try again")
            }
            let events = try await store.storage.removeAll(of: source.id, overwriting: true)
            // The requests that the rows came from are still in the file that is being written to.
            try journal.discard(through: last)
            let removed = try await store.removeSource(source, events: events, now: now())
            await sources.forget(source)
            await supervisor.follow()
            store.emptyLog()
            return removed
        } catch {
            await sources.reopen(source)
            throw error
        }
    }
}

extension Store {
    /// Takes what was deleted out of the log, too; the database itself writes over it. Where somebody reads just then, it
    /// stays until the log is written over.
    fileprivate func emptyLog() {
        do {
            let isBusy = try pool.writeWithoutTransaction { db in
                try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
            }
            guard isBusy != 0 else { return }
            logger.warning(
                "settings of the removed source stay in the log of workspace.sqlite until it is written over")
        } catch {
            logger.warning("the log of workspace.sqlite could not be emptied", metadata: ["error": "\(error)"])
        }
    }

    /// Removes a source and everything that is kept of it beside its events.
    /// - Returns: what went, as the audit log has it.
    fileprivate func removeSource(_ source: Source, events: Int, now: Int64) async throws -> JSON {
        let administrator = Administrator.current
        return try await pool.write { db in
            func delete(_ table: String, where condition: String = "source = ?") throws -> Int {
                try db.execute(sql: "DELETE FROM \(table) WHERE \(condition)", arguments: [source.id])
                return db.changesCount
            }
            _ = try delete("undelivered", where: "destination IN (SELECT id FROM destination WHERE source = ?)")
            let removed: JSONObject = [
                "events": .number(JSONNumber(events)),
                "destinations": .number(JSONNumber(try delete("destination"))),
                "livePluginVersions": .number(JSONNumber(try delete("bundle"))),
                "keys": .number(JSONNumber(try delete("sourceKey"))),
            ]
            for table in ["seen", "counter"] { _ = try delete(table) }
            // Somebody else may have removed it in the meantime.
            guard try delete("source", where: "id = ?") > 0 else { throw APIError.unknownSource(source.writeKey) }
            let entry = AuditEntry(action: .sourceRemoved, writeKey: source.writeKey, details: removed)
            try Self.log(db, entry, by: administrator, now: now)
            return .object(removed)
        }
    }
}
