import Foundation
import Tributary

/// Small files that are replaced as a whole and that only this user can read.
enum PrivateFile {
    /// The file's bytes; nil when there is no such file.
    /// - Throws: the error of the disk for a file that exists; `CocoaError.fileReadTooLarge` for a larger file.
    static func read(_ file: URL, maximumBytes: Int) throws -> [UInt8]? {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
            let isFile = attributes[.type] as? FileAttributeType == .typeRegular
            guard !isFile || size <= Int64(maximumBytes) else { throw CocoaError(.fileReadTooLarge) }
            return [UInt8](try Data(contentsOf: file))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Makes the folder again when it was deleted.
    static func write(_ bytes: [UInt8], to file: URL) throws {
        do {
            try Data(bytes).write(to: file, options: .kept)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            try makeFolder(of: file)
            try Data(bytes).write(to: file, options: .kept)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    static func makeFolder(of file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
}
