import WorkspaceCore

extension Limits {
    /// The time between two looks at the alert rules, and between two looks for messages that are due.
    static let alertPause = Duration.seconds(60)
    static let alertSendPause = Duration.seconds(5)
}
