import Crypto
import Foundation
import WorkspaceServer

/// A digest of the file's content.
enum FileDigest {
    static func of(_ path: String) throws(Failure) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Failure("\(path) cannot be read: there is no such file")
        }
        defer { try? file.close() }
        var hash = SHA256()
        do {
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty { hash.update(data: chunk) }
        } catch {
            throw Failure("\(path) cannot be read: \(error.localizedDescription)")
        }
        return hash.finalize().hexadecimal
    }
}
