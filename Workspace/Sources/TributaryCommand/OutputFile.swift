import Foundation

/// Writes files that appear when they are complete.
enum OutputFile {
    /// Writes a file that only its owner can read. It also replaces a file that others could read.
    static func writeSecret(_ data: Data, to path: String) throws(Failure) {
        let part = path + ".part"
        // A file of an earlier attempt; if it stays, making the new one fails.
        try? FileManager.default.removeItem(atPath: part)
        let isWritten = FileManager.default.createFile(
            atPath: part, contents: data, attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(part, path) == 0 else {
            throw Failure("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
