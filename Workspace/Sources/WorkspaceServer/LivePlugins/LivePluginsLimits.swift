import WorkspaceCore

extension Limits {
    /// Body of a live plugin bundle.
    static let bundleBytes = 1 << 20
    /// Stored events on which live plugins are tried by default, and at most.
    static let trialEvents = 200
    static let trialMostEvents = 5_000
    /// Lists of permissions under which a bundle is tried: those of the most devices.
    static let trialApps = 8
    /// Bytes of those events together.
    static let trialBytes = 16 << 20
    /// The newest stored events in which a review of live plugins looks for names of destinations.
    static let trialKnownEvents = 1_000
    /// The newest stored events, by which the place of a first version is chosen.
    static let placeKnownEvents = 500
    /// Stored sessions that are played before a deployment, by default and at most.
    static let goldenSessions = 200
    /// Bytes of the events of these sessions, and of their signals.
    static let goldenBytes = 4 << 20
    /// The newest stored signals in which sessions are looked for.
    static let goldenSignals = 1_000
    /// Characters of the reason for a deployment that breaks a rule.
    static let deploymentReason = 500
    /// Bytes of the answer of the process that tries live plugins.
    static let trialAnswer = 16 << 20
    /// How long that process may run.
    static let trialTime = Duration.seconds(30)
}
