package import TributaryJSON

/// Destinations as the files of a configuration have them.
package enum DestinationFile {
    /// What is wrong with one.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The destination with everything in it that it did not say, so that two of them can be compared.
    package static func normalized(_ json: JSON, name: String) throws(Problem) -> JSON {
        do throws(APIError) {
            return try checked(json, name)
        } catch {
            throw Problem(description: error.message)
        }
    }

    private static func checked(_ json: JSON, _ name: String) throws(APIError) -> JSON {
        guard Destination.isValid(name: name) else { throw .badRequest(Destination.nameRule) }
        let change = try DestinationForm.change(json)
        // A file says what is to be, however often it is applied; where to begin is said once.
        guard change.fromStart == nil else { throw .badRequest("from means nothing in a file") }
        guard let kind = change.kind, let settings = change.settings else {
            throw .badRequest("a destination needs a kind and settings")
        }
        return [
            "kind": .string(kind.rawValue), "enabled": .bool(change.isEnabled ?? true),
            "settings": .object(try kind.checked(settings)),
        ]
    }
}
