import Foundation
import TributaryJSON

extension Settings {
    /// Parses a document from a server or a file.
    /// - Returns: the document. Also a fault when only Foundation can read the document, for instance because of a
    ///   superfluous comma. Such documents are in use, because the field's clients read them with Foundation.
    static func document(_ bytes: [UInt8]) throws -> (json: JSON, fault: (any Error)?) {
        do {
            return (try JSON.parse(bytes, limits: JSONLimits(bytes: Limits.settingsBytes)), nil)
        } catch {
            guard bytes.count <= Limits.settingsBytes,
                let json = try? JSONDecoder().decode(JSON.self, from: Data(bytes)),
                let again = try? JSON.parse([UInt8](json.description.utf8))
            else { throw error }
            return (again, error)
        }
    }
}
