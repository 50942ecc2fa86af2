import Foundation

/// Reads files that other libraries wrote.
enum MigrationFile {
    /// The whole of a regular file.
    /// - Returns: nil when there is no such file.
    /// - Throws: `MigrationError` for anything that is no file of a sensible size, or that cannot be read now.
    static func read(_ file: URL, maxBytes: Int = Limits.migratedFileBytes) throws -> [UInt8]? {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        } catch {
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            throw MigrationError("it cannot be looked at: \(error.localizedDescription)", isPassing: true)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw MigrationError("it is not a regular file")
        }
        let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        guard size <= Int64(maxBytes) else { throw MigrationError("it has \(size) bytes, \(maxBytes) are read") }
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch {
            throw MigrationError("it cannot be read: \(error.localizedDescription)", isPassing: true)
        }
    }
}
