import TributaryJSON

/// What one live plugin did with an event, or with a notice.
struct LivePluginStep: Sendable, Hashable {
    /// The name of the plugin's class.
    let plugin: String
    let outcome: LivePluginOutcome
}

/// How a plugin's turn ended.
enum LivePluginOutcome: Sendable, Hashable {
    case unchanged
    case changed
    /// The plugin returned null.
    case dropped
    /// The plugin threw, returned no event, or broke its budget; the event went on as it was before that plugin.
    case failed(LivePluginFault)
}

/// Why a plugin failed.
struct LivePluginFault: Sendable, Hashable {
    /// The text of the exception, or what was wrong with the result.
    let message: String
    /// The line of the script, when it is known.
    let line: Int?
    /// The name of the script, when it is known.
    let file: String?
    /// True when the plugin is off from now on.
    let isSwitchedOff: Bool
}

/// What the plugins of a stage made of an event.
struct LivePluginStageResult: Sendable, Hashable {
    /// The event as it goes on; nil when a plugin dropped it.
    let event: JSON?
    /// The plugins that were asked, in their order.
    let steps: [LivePluginStep]
}
