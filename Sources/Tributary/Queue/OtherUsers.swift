import Foundation
import TributaryJournal

/// Notices that another process of the app has another user.
///
/// Processes that run at the same time each keep the user that they know. A change in one process reaches the others
/// only when they start again. A diagnostic reports that.
struct OtherUsers {
    /// The newest change by another process that was reported, or that was there at the start.
    private var knownChange: Int64

    init(_ own: EventQueue) {
        knownChange = own.inbox.snapshot.flatMap(IdentitySnapshot.init)?.changedAt ?? .max
    }

    /// Compares the user of another process's queue with this client's user.
    /// - Returns: a diagnostic; nil when there is nothing new.
    mutating func look(at number: UInt64, _ own: EventQueue) -> Diagnostic? {
        guard let ours = own.inbox.snapshot.flatMap(IdentitySnapshot.init), ours.info != nil,
            let theirs = own.directory.identity(of: number), theirs.changedAt > max(ours.changedAt, knownChange),
            theirs.info != ours.info
        else { return nil }
        knownChange = theirs.changedAt
        return Diagnostic(
            .configuration,
            "the client of queue \(number) has another user; this client takes that user over at its next start")
    }
}

extension QueueDirectory {
    /// The latest user in a queue, whichever client has the queue; nil when there is none or when it cannot be read.
    func identity(of number: UInt64) -> IdentitySnapshot? { (try? storedIdentity(of: number)) ?? nil }

    /// The latest user in a queue, whichever client has the queue; nil when there is none.
    /// - Throws: when the queue cannot be read now. A queue with another key or of a newer version counts as having no
    ///   user.
    func storedIdentity(of number: UInt64) throws(JournalError) -> IdentitySnapshot? {
        for name in [QueueLogs.pendingName, QueueLogs.inboxName] {
            guard let snapshot = try newestSnapshot(number, name).flatMap(IdentitySnapshot.init) else { continue }
            if name == QueueLogs.inboxName || snapshot.info != nil { return snapshot }
        }
        return nil
    }

    /// The first identity of the write key; nil when clients share no files.
    var firstIdentity: FirstIdentity? {
        location.map { FirstIdentity(folder: $0.folder.path, files: values.files, cipher: values.storageCipher) }
    }
}
