import Foundation
import TributaryJSON

/// What the user said, in a file that is replaced as a whole.
struct ConsentFile: Sendable {
    let url: URL

    /// - Returns: nil when nothing was ever said.
    func load() throws -> ConsentRecord? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try ConsentRecord(json: JSON.parse([UInt8](Data(contentsOf: url))))
    }

    func store(_ record: ConsentRecord) throws {
        try Data(record.json.encoded()).write(to: url, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }
}
