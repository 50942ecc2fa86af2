import Foundation

/// Reads files that other libraries wrote.
enum MigrationFile {
    /// The bytes of a regular file.
    /// - Returns: nil when there is no such file.
    /// - Throws: `MigrationError` when the file is not regular, is too large or cannot be read now.
    static func read(_ file: URL, maxBytes: Int = Limits.migratedFileBytes) throws -> [UInt8]? {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        } catch {
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            throw MigrationError("the file cannot be examined: \(error.localizedDescription)", isPassing: true)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw MigrationError("this is not a regular file")
        }
        let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        guard size <= Int64(maxBytes) else {
            throw MigrationError("the file has \(size) bytes; the limit is \(maxBytes)")
        }
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch {
            throw MigrationError("the file cannot be read: \(error.localizedDescription)", isPassing: true)
        }
    }
}
