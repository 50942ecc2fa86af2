/// What live plugins may use before they are switched off.
struct LivePluginBudget: Sendable, Hashable {
    /// Seconds for the plugins of one stage together, for each event. 0.1 unless configured.
    var eventSeconds = 0.1
    /// Seconds for evaluating a bundle. 1 unless configured.
    var loadSeconds = 1.0
    /// Megabytes by which all scripts together may make the process grow. 64 unless configured.
    var megabytes = 64
    /// Faults after which a plugin is switched off. 10 unless configured.
    var faults = 10
}
