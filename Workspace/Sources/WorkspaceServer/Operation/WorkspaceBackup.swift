public import Foundation
import WorkspaceCore

/// Copies of a data folder that can be put in its place, made while the server runs or not.
///
/// A backup contains every event that was acknowledged before it began, because of its order: first the journal, then
/// the database with the watermark, then the days, each as it is at one point in time. Rows of a day beyond the
/// watermark are cut off, and come again from the journal.
public struct WorkspaceBackup: Sendable {
    /// The content of a backup or of a restored folder.
    public struct Summary: Sendable, Equatable {
        /// Days with events.
        public let days: Int
        /// Requests that will be indexed at the next start.
        public let waitingRequests: Int
        /// Bytes of all files.
        public let bytes: Int
        /// Days that the workspace made and did not delete, and that the folder had no more: the backup lacks them.
        public var missingDays: [String] = []
    }

    static let manifestName = "backup.json"
    static let version = 1

    /// Makes a backup in a folder that must not be there, or be empty.
    ///
    /// - Parameters:
    ///   - base: an earlier backup of the same folder. Days and files of message ids that did not change since are taken
    ///     from it, without a copy where the file system allows that; the new backup is complete all the same.
    ///   - progress: called after each day with the number of days that are done, and of all.
    /// - Throws: `WorkspaceError` when something cannot be read or written; nothing is left at the target then.
    public static func make(
        of dataFolder: String, at target: String, base: String? = nil, now: Date = Date(),
        progress: (_ done: Int, _ days: Int) -> Void = { _, _ in }
    ) throws -> Summary {
        let source = URL(fileURLWithPath: dataFolder).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: source + "/workspace.sqlite") else {
            throw WorkspaceError(.dataFolder, "\(source) is no data folder: it has no workspace.sqlite")
        }
        let base = try base.map { try BaseBackup($0) }
        return try AtomicFolder(target).make { folder in
            var making = BackupWriter(source: source, target: folder, base: base, now: now)
            return try making.run(progress)
        }
    }

    /// Makes a data folder of a backup. The folder must not exist or must be empty; move an old one away first.
    /// - Parameter progress: called after each file with the number of files that are copied, and of all.
    /// - Throws: `WorkspaceError`, also when the backup has changed since it was made.
    public static func restore(
        _ backup: String, to target: String, progress: (_ done: Int, _ files: Int) -> Void = { _, _ in }
    ) throws -> Summary {
        let source = URL(fileURLWithPath: backup).standardizedFileURL.path
        let manifest = try BackupManifest(read: source)
        return try AtomicFolder(target).make { folder in
            for (index, file) in manifest.files.enumerated() {
                try AtomicFolder.copy(source + "/" + file.path, to: folder + "/" + file.path)
                progress(index + 1, manifest.files.count)
            }
            let copy = try BackupManifest(of: folder)
            if let wrong = manifest.difference(from: copy) {
                throw WorkspaceError(.dataFolder, "the backup is damaged: \(wrong)")
            }
            return try copy.summary(of: folder)
        }
    }
}
