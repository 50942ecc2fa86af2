import WorkspaceCore

extension Limits {
    /// Stored events that a dry run tests by default, and at most.
    static let dryRunEvents = 50_000
    static let dryRunMostEvents = 1_000_000
    /// How long a dry run may take; its answer is what it has found until then.
    static let dryRunTime = Duration.seconds(20)
    /// Destinations that the rules of a dry run may name: each of them gets every event.
    static let dryRunDestinations = 100
    /// Changed events, and dropped ones, that a dry run shows.
    static let dryRunExamples = 5
    /// From so many tested events on, a dry run says that a rule concerned none or all of them.
    static let dryRunFewestEvents = 100
}
