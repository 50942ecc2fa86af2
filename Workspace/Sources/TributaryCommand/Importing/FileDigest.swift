import Crypto
import Foundation
import WorkspaceCore
import WorkspaceServer

/// A digest of the file's content.
enum FileDigest {
    static func of(_ path: String) throws(Failure) -> String {
        if let reason = SystemReason.reading(path) { throw Failure("\(path.printable) cannot be read: \(reason)") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure("\(path.printable) cannot be read: \(SystemReason.text(code: errno))")
        }
        defer { try? file.close() }
        var hash = SHA256()
        do {
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { hash.update(data: chunk) }
        } catch {
            throw Failure("\(path) cannot be read: \(SystemReason.text(error))")
        }
        return hash.finalize().hexadecimal
    }
}
