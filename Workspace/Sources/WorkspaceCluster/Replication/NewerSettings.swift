import WorkspaceCore
import WorkspaceServer

/// A newer version of the server changed the settings. This node does not apply that change until its program is
/// replaced.
struct NewerSettings: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    /// - Parameter what: names the record, and the part of it that is newer.
    init(_ what: String) {
        description = "a newer version of the server changed the settings; upgrade this node (\(what))"
    }
}
