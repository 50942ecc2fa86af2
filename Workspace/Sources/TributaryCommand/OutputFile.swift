import Foundation

/// Writes files that appear when they are whole.
enum OutputFile {
    /// Writes a file that only its owner can read, also in the place of one that others could.
    static func writeSecret(_ data: Data, to path: String) throws(Failure) {
        let part = path + ".part"
        // Of an earlier try; making the file fails when it stays.
        try? FileManager.default.removeItem(atPath: part)
        let isWritten = FileManager.default.createFile(
            atPath: part, contents: data, attributes: [.posixPermissions: 0o600])
        guard isWritten, rename(part, path) == 0 else {
            throw Failure("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
