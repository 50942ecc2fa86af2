import TributaryScript

/// The limits of live plugins. A plugin that exceeds them is switched off.
package struct LivePluginBudget: Sendable, Hashable {
    /// Seconds for all plugins of one stage together, for each event, and for each signal. 0.1 unless configured.
    package var eventSeconds: Double
    /// Seconds for evaluating a bundle, and for the first signal that it processes. 1 unless configured.
    package var loadSeconds: Double
    /// Megabytes by which all scripts together may increase the process. 64 unless configured.
    package var megabytes: Int
    /// Faults after which a plugin is switched off. 10 unless configured.
    package var faults: Int

    package init(eventSeconds: Double = 0.1, loadSeconds: Double = 1.0, megabytes: Int = 64, faults: Int = 10) {
        self.eventSeconds = eventSeconds
        self.loadSeconds = loadSeconds
        self.megabytes = megabytes
        self.faults = faults
    }

    /// The budget of an engine that runs plugins.
    var ofEvents: ScriptBudget { ScriptBudget(seconds: eventSeconds, megabytes: megabytes) }
}
