package import TributaryJSON

/// Policies as operators write them.
package enum PolicyForm {
    /// What is wrong with one.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The policy of a source of which nobody said anything.
    package static let usual = SourcePolicy.none.json

    /// The policy with everything in it that it did not say, so that two of them can be compared.
    package static func normalized(_ json: JSON) throws(Problem) -> JSON {
        do throws(APIError) {
            return try SourcePolicy(json).json
        } catch {
            throw Problem(description: error.message)
        }
    }
}
