import WorkspaceCore
import WorkspaceServer

/// The settings of this node can no longer follow the log of the cluster. The node cannot repair that by itself.
struct SettingsDivergence: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
