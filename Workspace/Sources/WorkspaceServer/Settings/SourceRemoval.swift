import GRDB
import Logging
import TributaryJSON
import WorkspaceCore

/// Removes a source with all its data from a running workspace.
struct SourceRemoval: Sendable {
    let store: Store
    let sources: SourceRegistry
    let intake: any Intake
    let supervisor: ForwardingSupervisor
    let now: @Sendable () -> Int64

    /// Removes the events first and the source last: after an interruption the source is still there and can be removed
    /// again. The bytes in the files of the workspace are overwritten, as in an erasure.
    /// - Parameter progress: called after each step.
    /// - Returns: the counts of the deleted rows.
    func remove(
        _ writeKey: String, by administrator: Administrator,
        _ progress: @escaping @Sendable (ErasureProgress) -> Void
    ) async throws -> JSON {
        let source = try await sources.known(writeKey)
        await sources.close(source)
        do {
            let mark = try await intake.mark()
            // Requests that were acknowledged before are deleted too, so they have to be indexed first.
            guard await intake.isStored(mark, within: Limits.erasurePatience) else {
                throw Refusal(.unavailable, "events still wait to be stored; try again")
            }
            let events = try await store.storage.removeAll(of: source.id, overwriting: true, progress)
            // The requests that the rows came from are still in the journal or log.
            try await intake.forget(mark)
            let removed = try await store.removeSource(source, events: events, by: administrator, now: now())
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

extension DeletionRuns<JSON> {
    init(_ removal: SourceRemoval) {
        self.init { writeKey, administrator, progress in
            try await removal.remove(writeKey, by: administrator, progress)
        }
    }
}

extension Store {
    /// Removes deleted rows from the log too; the database itself overwrites them. While another reader uses the log,
    /// they stay until the log is overwritten.
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

    /// Removes a source and everything except its events.
    /// - Returns: what was deleted, for the audit log.
    func removeSource(
        _ source: Source, events: Int, by administrator: Administrator, now: Int64
    ) async throws -> JSON {
        let removed: JSON = try await change(alongside: { try self.removeLocalRows(of: source.id, $0) }) { db in
            func delete(_ table: String, where condition: String = "source = ?") throws -> Int {
                try db.execute(sql: "DELETE FROM \(table) WHERE \(condition)", arguments: [source.id])
                return db.changesCount
            }
            _ = try delete("replay", where: "destination IN (SELECT id FROM destination WHERE source = ?)")
            _ = try delete("undelivered", where: "destination IN (SELECT id FROM destination WHERE source = ?)")
            let removed: JSONObject = [
                "events": .number(events), "destinations": .number(try delete("destination")),
                "livePluginVersions": .number(try delete("bundle")), "keys": .number(try delete("sourceKey")),
            ]
            for table in ["filterSet", "rollout", "functionVersion"] { _ = try delete(table) }
            // Another request may have removed it in the meantime.
            guard try delete("source", where: "id = ?") > 0 else { throw Refusal.unknownSource(source.writeKey) }
            let entry = AuditEntry(action: .sourceRemoved, writeKey: source.writeKey, details: removed)
            try Self.log(db, entry, by: administrator, now: now)
            return .object(removed)
        }
        try await messages.forget(source.id, in: pool)
        return removed
    }

    /// Removes what this node counted of a source, and which messages it knows. Other nodes of a cluster remove theirs when
    /// they apply the change.
    private func removeLocalRows(of source: Int64, _ db: Database) throws {
        for table in SettingsTables.localOfSource {
            try db.execute(sql: "DELETE FROM \(table) WHERE source = ?", arguments: [source])
        }
        try messages.noteForgotten(source, db)
    }
}
