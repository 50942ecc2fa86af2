/// Where the live plugins of a version run.
package enum PluginPlace: String, Sendable, CaseIterable {
    case device
    case workspace
    /// On devices that can run them, and in the workspace for the events of all others.
    case both

    package var runsOnDevices: Bool { self != .workspace }
    package var runsInWorkspace: Bool { self != .device }

    /// The names for people and for the API.
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
