/// What one of the plugins behind a host did to an event.
package struct HostedStep: Sendable {
    /// The plugin's own name.
    package let plugin: String
    /// What became of the event.
    package let outcome: StageOutcome
    /// Anything to say besides, such as an error with its line.
    package let note: String?

    package init(plugin: String, outcome: StageOutcome, note: String? = nil) {
        self.plugin = plugin
        self.outcome = outcome
        self.note = note
    }
}
