/// Where the settings come from that apply now.
enum SettingsOrigin: Sendable {
    /// An answer of the workspace.
    case workspace
    /// The workspace, in an earlier launch.
    case cached
    /// The app, or the library.
    case defaults
}
