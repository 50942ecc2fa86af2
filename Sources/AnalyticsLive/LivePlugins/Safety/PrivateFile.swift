import Foundation

/// Small files that are replaced as a whole and that only this user can read.
enum PrivateFile {
    static func write(_ bytes: [UInt8], to file: URL) throws {
        try Data(bytes).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
