import Crypto
import Foundation
import GRDB
package import TributaryJSON
import WorkspaceCore

/// Erases everything about one user from a running workspace.
struct Erasure: Sendable {
    let store: Store
    let intake: any Intake
    let suppressions: SuppressionBook
    let now: @Sendable () -> Int64

    /// Erases rows and requests, so that their bytes are gone from the files.
    ///
    /// The audit log has an entry before the first row is deleted, and another one at the end, also when the erasure
    /// fails or is cancelled: then it says that it is not finished. Both have a digest instead of the id.
    ///
    /// Requests that were acknowledged before are included: they are indexed first. The server keeps the time of the
    /// erasure with a digest of the user and of the user's devices. So a device that later sends events from before the
    /// erasure does not bring them back. Events from after the erasure are stored, unless the user is suppressed.
    /// - Parameter progress: called after each day.
    func erase(
        _ userId: String, by administrator: Administrator,
        _ progress: @escaping @Sendable (ErasureProgress) -> Void = { _ in }
    ) async throws -> Erased {
        let time = now()
        try await note(userId, [], time)
        // From then on no node stores events from before the erasure.
        if store.settings.isShared { try await Task.sleep(for: Limits.settingsSpread) }
        let mark = try await intake.mark()
        guard await intake.isStored(mark, within: Limits.erasurePatience) else {
            throw Refusal.overloaded("requests wait that may be about the user; try again when they are indexed")
        }
        try await store.log(.erasureBegun, userId, [:], by: administrator, now: now())
        let newest = LatestProgress()
        do {
            try await store.storage.erase(Person(userId: userId)) { state in
                newest.set(state)
                progress(state)
            }
            let devices = newest.value.devices
            if !devices.isEmpty {
                try await note(userId, devices, time)
                try await eraseAgain(userId, devices, newest)
            }
            // The requests that the rows came from are still in the journal or log.
            try await intake.forget(mark)
            newest.add(try await store.eraseViews(of: Person(userId: userId, anonymousIds: devices)))
        } catch {
            try await logEnd(userId, newest.value, isFinished: false, by: administrator)
            throw error
        }
        try await logEnd(userId, newest.value, isFinished: true, by: administrator)
        _ = try await store.requestDeletions(of: userId, devices: newest.value.devices, now: now())
        return newest.value.erased
    }

    private func note(_ userId: String, _ devices: Set<Data>, _ time: Int64) async throws {
        try await store.noteErased(userId, devices: devices, through: time, now: now())
        try await suppressions.load(from: store)
    }

    /// Erases events that came from the devices between the search for them and their entry in the list.
    private func eraseAgain(_ userId: String, _ devices: Set<Data>, _ newest: LatestProgress) async throws {
        if store.settings.isShared { try await Task.sleep(for: Limits.settingsSpread) }
        let before = newest.value
        try await store.storage.erase(Person(userId: userId, anonymousIds: devices)) { state in
            var both = before
            both.erased = before.erased + state.erased
            newest.set(both)
        }
    }

    /// Writes the last entry of the audit log, in a task of its own, because a cancelled task writes nothing more.
    private func logEnd(
        _ userId: String, _ progress: ErasureProgress, isFinished: Bool, by administrator: Administrator
    ) async throws {
        var details = progress.erased.json
        // Their names may have the id.
        if !progress.erased.removedViews.isEmpty {
            details["removedQuestions"] = .number(progress.erased.removedViews.count)
        }
        if !isFinished {
            details["finished"] = false
            details["days"] = .number(progress.daysDone)
        }
        let entry = details
        try await Task { try await store.log(.userErased, userId, entry, by: administrator, now: now()) }.value
    }
}

extension Store {
    fileprivate func log(
        _ action: AuditEntry.Action, _ userId: String, _ more: JSONObject, by administrator: Administrator, now: Int64
    ) async throws {
        let digest = SHA256.hash(data: Data(userId.utf8)).hexadecimal
        var details: JSONObject = ["userSHA256": .string(digest)]
        for (key, value) in more { details[key] = value }
        let entry = AuditEntry(action: action, details: details)
        try await change { db in try Self.log(db, entry, by: administrator, now: now) }
    }
}

extension Erased {
    package var json: JSONObject {
        [
            "events": .number(events), "rejected": .number(rejected), "traces": .number(traces),
            "signals": .number(signals),
        ]
    }

    /// The saved questions that were removed or name the user, for the answer alone: the audit log keeps no names that may have the id.
    package var views: JSONObject {
        ["removedQuestions": .strings(removedViews), "questionsWithId": .strings(namingViews)]
    }
}

extension Limits {
    /// How long a change of settings takes to reach the other nodes of a cluster, nearly always.
    static let settingsSpread = Duration.seconds(2)
}
