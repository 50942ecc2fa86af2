import Crypto
import Foundation
import GRDB
import TributaryJSON

/// Erases everything about one user from a running workspace.
struct Erasure: Sendable {
    let store: Store
    let journal: IngestJournal
    let readYourWrites: ReadYourWrites
    let now: @Sendable () -> Int64

    /// The result of an erasure.
    struct Outcome: Sendable {
        let erased: Erased
        /// Files that could not be read, so they may contain the user.
        let unreadable: Int
    }

    /// Erases rows and requests, overwrites their bytes in the files, and notes the erasure in the audit log, with a
    /// digest instead of the id.
    ///
    /// Requests that were acknowledged before are indexed first, so they are included. Digests of message ids stay, so
    /// that a device that repeats itself does not bring the events back. Later events of the user are stored.
    func erase(_ userId: String) async throws -> Outcome {
        let last = journal.lastSequence
        guard await readYourWrites.isCaughtUp(within: Limits.erasurePatience) else {
            throw APIError.overloaded("requests wait that may be about the user; try again when they are indexed")
        }
        let erased = try await store.storage.erase(Person(userId: userId))
        // The requests that the rows came from are still in the file that is being written to.
        try journal.discard(through: last)
        try await store.logErasure(of: userId, erased, now: now())
        return Outcome(erased: erased, unreadable: try store.folder.unreadableFiles().count)
    }
}

extension Store {
    fileprivate func logErasure(of userId: String, _ erased: Erased, now: Int64) async throws {
        let administrator = Administrator.current
        let digest = SHA256.hash(data: Data(userId.utf8)).hexadecimal
        var details: JSONObject = ["userSHA256": .string(digest)]
        for (key, value) in erased.json { details[key] = value }
        let entry = AuditEntry(action: .userErased, details: details)
        try await pool.write { db in try Self.log(db, entry, by: administrator, now: now) }
    }
}

extension Erased {
    var json: JSONObject {
        [
            "events": .number(JSONNumber(events)), "rejected": .number(JSONNumber(rejected)),
            "traces": .number(JSONNumber(traces)), "signals": .number(JSONNumber(signals)),
        ]
    }
}
