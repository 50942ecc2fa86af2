/// Which events a client traces, and how much a trace says.
enum TraceScope: Sendable {
    /// Every event, with the values that changed: for the inspector of a developer.
    case all
    /// The events of users that the server names, without values: a plugin may have removed them so that no server gets
    /// them.
    case ordered
}
