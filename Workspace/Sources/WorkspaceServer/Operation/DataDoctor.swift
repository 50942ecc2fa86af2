import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

/// Checks a data folder, and can repair it.
///
/// It never deletes anything: it moves replaced files to the folder `unreadable`.
public struct DataDoctor: Sendable {
    /// One result of the check.
    public struct Finding: Sendable, Equatable, CustomStringConvertible {
        /// How it stands.
        public enum Kind: String, Sendable {
            /// No problem.
            case fine
            /// A remark; nothing has to be done.
            case note
            /// A problem that is still there.
            case problem
            /// A problem that was repaired.
            case mended
            /// Data that a repair could not save. The audit log notes the loss, and the next check does not report it
            /// again.
            case lost
        }

        /// How it stands.
        public let kind: Kind
        /// The finding, and what to do about it.
        public let description: String
    }

    /// The findings, in the order of the check.
    public private(set) var findings: [Finding] = []

    /// Whether there are problems left.
    public var hasProblems: Bool { findings.contains { $0.kind == .problem } }

    /// Whether a repair could not save everything.
    public var hasLosses: Bool { findings.contains { $0.kind == .lost } }

    let path: String
    let isRepairing: Bool
    let isQuick: Bool
    /// Called with how far the check is.
    let progress: @Sendable (String) -> Void
    /// The folder, when no workspace runs in it.
    private(set) var folder: DataFolder?
    /// The epoch of the journal and its watermark; nil when they are not known.
    var journal: JournalOffset?

    /// Looks at a data folder. A workspace may run in it, but then nothing is repaired.
    /// - Parameters:
    ///   - quick: look only whether files can be opened and belong together, which takes seconds; a repair looks at all.
    ///   - progress: called with the present check and its progress, in a few words, from several threads.
    public init(
        examining path: String, repairing: Bool = false, quick: Bool = false,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        isQuick = quick && !repairing
        self.progress = progress
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        isRepairing = repairing
        guard lookAtFolder() else { return }
        let rights = FolderRights(of: self.path)
        if repairing, let owner = rights.otherOwner {
            note(
                "the folder belongs to another user, \(owner); files that a repair makes are given to \(owner)"
            )
        }
        lookAtAll()
        folder?.release()
        if repairing, let file = rights.restore() {
            problem("the owner or the mode of \(file) could not be set; see to it that the workspace can read it")
        }
    }

    private mutating func lookAtAll() {
        lookAtPermissions()
        lookAtSpace()
        guard lookAtFormats(), lookAtWorkspaceDatabase() else { return }
        lookAtDays()
        lookAtUnreadable()
        lookAtSources()
        lookAtJournal()
        if lookAtMessageFiles(), !isQuick { lookAtIndex() } else { lookForGoneDays() }
        if !isQuick { lookAtFigures() }
        if isQuick { note("only looked at in short; without --quick every database is read from end to end") }
    }

    mutating func note(_ text: String) { findings.append(Finding(kind: .note, description: text)) }
    mutating func fine(_ text: String) { findings.append(Finding(kind: .fine, description: text)) }
    mutating func lost(_ text: String) { findings.append(Finding(kind: .lost, description: text)) }
    mutating func problem(_ text: String) { findings.append(Finding(kind: .problem, description: text)) }

    /// Notes losses in the audit log, so that the next check does not report them again.
    func note(lost count: Int, of days: [Day: Int], gone: [Day], in folder: DataFolder) throws {
        let pool = try Store.open(folder)
        defer { try? pool.closeWhole() }
        try pool.write { db in
            for (day, count) in days {
                try DayRecords.noteLost(count, of: day, isGone: gone.contains(day), db)
            }
            let names = days.keys.sorted().map { JSON.string("\($0)") }
            let entry = AuditEntry(
                action: .dataLost,
                details: ["what": "messages", "count": .number(count), "days": .array(names)])
            try Store.log(db, entry, by: .server, now: Int64(Date().timeIntervalSince1970 * 1_000))
        }
    }

    /// Reports a problem, or repairs it when that was requested and no workspace runs.
    mutating func problem(_ text: String, mended: String, _ mend: (DataFolder) throws -> Void) {
        guard isRepairing, let folder else { return problem("\(text); `tributary doctor --repair` mends it") }
        do {
            try mend(folder)
            findings.append(Finding(kind: .mended, description: "\(text); \(mended)"))
        } catch {
            problem("\(text); mending it failed: \(SystemReason.text(error))")
        }
    }

    // MARK: The folder

    /// - Returns: whether there is anything to check.
    private mutating func lookAtFolder() -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            problem("\(path) is no folder")
            return false
        }
        guard FolderContents(of: path).isDataFolder else {
            problem("\(path) is no data folder: there is no workspace in it, and nothing of one; nothing was changed")
            return false
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            problem("the folder \(path) cannot be read and written by this user; see who owns it")
            return false
        }
        do {
            folder = try DataFolder(path: path)
        } catch {
            guard error.reason == .dataFolderInUse else {
                problem(error.description)
                return false
            }
            note("a workspace runs in the folder, so it is only looked at")
        }
        return true
    }

    private mutating func lookAtPermissions() {
        let mode: Int?
        do {
            mode = (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        } catch {
            return problem("the mode of the folder cannot be read: \(SystemReason.text(error))")
        }
        guard let mode, mode & 0o077 != 0 else { return }
        problem("other users of the machine may look into the folder", mended: "only its owner may now") { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
    }

    /// A repair by an older program would set aside what that program does not know.
    private mutating func lookAtFormats() -> Bool {
        // A damaged file has no format; the checks that follow name it.
        guard let refusals = (try? UpgradeCheck(of: path))?.refusals, !refusals.isEmpty else { return true }
        for refusal in refusals { problem(refusal) }
        return false
    }

    private mutating func lookAtSpace() {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return }
        let free = Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let megabytes = free >> 20
        if free < Limits.littleSpace {
            problem("the disk has only \(megabytes) MB left; a workspace that cannot write takes no events")
        } else {
            fine("the disk has \(megabytes) MB left")
        }
    }
}

extension Limits {
    /// Room on the disk below which the doctor warns: the journal may need a file of its own, and a day a log.
    static let littleSpace: Int64 = 256 << 20
}
