package import TributaryJSON
import WorkspaceCore

/// The form of policies in requests and files.
package enum PolicyForm {
    /// Why a policy is not valid.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The default policy of a source.
    package static let usual = SourcePolicy.none.json

    /// The policy with the defaults filled in, so that two of them can be compared.
    package static func normalized(_ json: JSON) throws(Problem) -> JSON {
        do throws(Refusal) {
            return try SourcePolicy(json).json
        } catch {
            throw Problem(description: error.message)
        }
    }
}
