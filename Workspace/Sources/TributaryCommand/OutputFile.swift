import Foundation
import WorkspaceCore
import WorkspaceServer

/// Writes files that appear when they are complete. Only their owner can read them.
enum OutputFile {
    /// Writes a file. It also replaces a file that others could read.
    static func writeSecret(_ data: Data, to path: String) throws(Failure) {
        let part = try Part(of: path)
        do {
            try part.handle.write(contentsOf: data)
        } catch {
            part.discard()
            throw unwritable(path, SystemReason.text(error))
        }
        try part.finish()
    }

    /// The failure of a file that cannot be written.
    static func unwritable(_ path: String, _ reason: String) -> Failure {
        Failure("\(path.printable) cannot be written: \(reason)")
    }

    /// A file that is not complete yet. It stands beside its place under another name.
    struct Part {
        let handle: FileHandle
        private let path: String
        private var name: String { path + ".part" }

        init(of path: String) throws(Failure) {
            self.path = path
            guard !path.isEmpty else { throw Failure("a file is named by an empty text; give its path") }
            guard !InputFile.isFolder(path) else { throw unwritable(path, SystemReason.text(code: EISDIR)) }
            // The new file would take the place of a device or a pipe.
            guard InputFile.isRegular(path) || !FileManager.default.fileExists(atPath: path) else {
                throw unwritable(path, "it is a device or a pipe; write to standard output, and lead that there")
            }
            // A file of an earlier attempt; if it stays, making the new one fails.
            unlink(path + ".part")
            let file = open(path + ".part", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                let reason = errno == ENOENT ? "there is no such folder" : SystemReason.text(code: errno)
                throw unwritable(path, "\(reason); choose a folder that you may write to")
            }
            handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        }

        /// Gives the file its name.
        func finish() throws(Failure) {
            do {
                try handle.close()
            } catch {
                discard()
                throw unwritable(path, SystemReason.text(error))
            }
            guard rename(name, path) == 0 else {
                let code = errno
                discard()
                throw unwritable(path, SystemReason.text(code: code))
            }
        }

        /// Deletes it: an incomplete file is of no use.
        func discard() { unlink(name) }
    }
}
