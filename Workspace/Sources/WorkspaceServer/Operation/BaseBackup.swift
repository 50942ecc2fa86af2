import Foundation
import WorkspaceCore

/// An earlier backup, of which files are taken that did not change since.
struct BaseBackup {
    let manifest: BackupManifest
    private let folder: String

    init(_ folder: String) throws {
        self.folder = URL(fileURLWithPath: folder).standardizedFileURL.path
        manifest = try BackupManifest(read: self.folder)
    }

    /// The day, if it has not changed since.
    func file(ofDay day: String, _ revision: String) -> BackupManifest.File? {
        manifest.days[day] == revision ? manifest.file("days/\(day).sqlite") : nil
    }

    /// The file of message ids, if it has the same content: its head has the checksums of all of it.
    func file(ofMessages name: String, like path: String) -> BackupManifest.File? {
        guard let file = manifest.file("messages/" + name), let head = Self.head(path),
            head == Self.head(folder + "/" + file.path)
        else { return nil }
        return file
    }

    /// Puts a file into a new backup. Two names of one file are as good as a copy, because no process writes to the
    /// file.
    func take(_ file: BackupManifest.File, to target: String) throws {
        let path = folder + "/" + file.path
        guard link(path, target + "/" + file.path) != 0 else { return }
        try AtomicFolder.copy(path, to: target + "/" + file.path)
    }

    private static func head(_ path: String) -> [UInt8]? {
        // A file that cannot be read counts as different.
        try? ByteFile(path: path).bytes(at: 0, count: MessageFile.Head.byteCount)
    }
}
