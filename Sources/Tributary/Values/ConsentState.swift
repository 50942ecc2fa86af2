/// Whether the user lets the app collect what they do.
public enum ConsentState: String, Sendable, CaseIterable {
    /// They do: events are processed and sent.
    case granted
    /// They do not: nothing is collected.
    case denied
    /// They have not said: events are kept apart on the device, and no plugin, destination, script or server sees them.
    case pending
}
