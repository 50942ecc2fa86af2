import Foundation
import TributaryJSON

extension Settings {
    /// The document that a server or a file gave.
    /// - Returns: the document, and why it is not JSON when only Foundation reads it, as it does with a comma too many: the field's
    ///   clients read with Foundation, so such documents are in use.
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
