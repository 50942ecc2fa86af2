package import TributaryJSON
import WorkspaceCore

/// The form of tracking plans in requests and files.
package enum PlanForm {
    /// Why a plan is not valid.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The plan of a source that has none.
    package static let usual = TrackingPlan.none.json

    /// The plan with the defaults filled in, so that two of them can be compared.
    package static func normalized(_ json: JSON) throws(Problem) -> JSON {
        do throws(Refusal) {
            return try TrackingPlan(json).json
        } catch {
            throw Problem(description: error.message)
        }
    }
}
