import Crypto
import Foundation
import GRDB
import TributaryJSON

/// Takes everything about one user out of a running workspace.
struct Erasure: Sendable {
    let store: Store
    let journal: IngestJournal
    let readYourWrites: ReadYourWrites
    let now: @Sendable () -> Int64

    /// What came of it.
    struct Outcome: Sendable {
        let erased: Erased
        /// Files that nobody could read, so that nobody knows whether the user is in them.
        let unreadable: Int
    }

    /// Erases rows and requests, so that their bytes are gone from the files, and notes in the audit log that it was
    /// done, with a digest instead of the id.
    ///
    /// What was acknowledged before is included: it is indexed first. Message ids stay known, as digests, so that a
    /// device that repeats itself does not bring the events back. What comes later is new.
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
