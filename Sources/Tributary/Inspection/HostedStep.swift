/// The work of one plugin of a plugin host on an event.
package struct HostedStep: Sendable {
    /// The plugin's own name.
    package let plugin: String
    /// The outcome for the event.
    package let outcome: StageOutcome
    /// A further remark, such as an error with its line.
    package let note: String?

    package init(plugin: String, outcome: StageOutcome, note: String? = nil) {
        self.plugin = plugin
        self.outcome = outcome
        self.note = note
    }
}
