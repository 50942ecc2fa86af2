import WorkspaceCore

/// A figure for monitoring that an engine counts besides those of every workspace.
package struct EngineFigure: Equatable {
    package let name: String
    /// What it says, for the people who make graphs of it.
    package let help: String
    /// The partition of the cluster's log that it is about; nil for the whole server.
    package var partition: Int?
    package let value: Double

    package init(name: String, help: String, partition: Int? = nil, value: Double) {
        (self.name, self.help, self.partition, self.value) = (name, help, partition, value)
    }
}
