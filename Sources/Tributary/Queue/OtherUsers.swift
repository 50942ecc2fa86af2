import Foundation
import TributaryJournal

/// Notices that another process of the app has another user.
///
/// Processes that run at the same time each keep the user that they know: a change in one of them reaches the others only
/// when they start again. A diagnostic says so.
struct OtherUsers {
    /// The newest change by another process that was reported, or was there before.
    private var knownChange: Int64

    init(_ own: EventQueue) {
        knownChange = own.inbox.snapshot.flatMap(IdentitySnapshot.init)?.changedAt ?? .max
    }

    /// Compares the user of another process's queue with the user of this client.
    /// - Returns: what is to be reported; nil when there is nothing new.
    mutating func look(at number: UInt64, _ own: EventQueue) -> Diagnostic? {
        guard let ours = own.inbox.snapshot.flatMap(IdentitySnapshot.init), ours.info != nil,
            let theirs = own.directory.identity(of: number), theirs.changedAt > max(ours.changedAt, knownChange),
            theirs.info != ours.info
        else { return nil }
        knownChange = theirs.changedAt
        return Diagnostic(
            .configuration,
            "the client of queue \(number) knows another user: this client will know that user at its next start")
    }
}

extension QueueDirectory {
    /// Who the user was last in a queue, whichever client has it; nil when nothing says so, or not now.
    func identity(of number: UInt64) -> IdentitySnapshot? { (try? storedIdentity(of: number)) ?? nil }

    /// Who the user was last in a queue, whichever client has it; nil when nothing says so.
    /// - Throws: when that cannot be read now. A queue of another key or of a newer version says nothing.
    func storedIdentity(of number: UInt64) throws(JournalError) -> IdentitySnapshot? {
        for name in [QueueLogs.pendingName, QueueLogs.inboxName] {
            guard let snapshot = try newestSnapshot(number, name).flatMap(IdentitySnapshot.init) else { continue }
            if name == QueueLogs.inboxName || snapshot.info != nil { return snapshot }
        }
        return nil
    }

    /// The identity with which the write key began; nil where clients share no files.
    var firstIdentity: FirstIdentity? {
        location.map { FirstIdentity(folder: $0.folder.path, files: values.files, cipher: values.storageCipher) }
    }
}
