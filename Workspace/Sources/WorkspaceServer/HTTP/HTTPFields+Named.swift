import HTTPTypes
import WorkspaceCore

extension HTTPFields {
    /// The value of a header that the library has no constant for.
    subscript(named name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set { HTTPField.Name(name).map { self[$0] = newValue } }
    }
}
