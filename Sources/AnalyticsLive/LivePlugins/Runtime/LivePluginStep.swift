package import TributaryJSON

/// What one live plugin did with an event, or with a notice.
package struct LivePluginStep: Sendable, Hashable {
    /// The name of the plugin's class.
    package let plugin: String
    package let outcome: LivePluginOutcome
}

/// How a plugin's turn ended.
package enum LivePluginOutcome: Sendable, Hashable {
    case unchanged
    case changed
    /// The plugin returned null.
    case dropped
    /// The plugin threw, returned no event, or broke its budget; the event went on as it was before that plugin.
    case failed(LivePluginFault)
}

/// Why a plugin failed.
package struct LivePluginFault: Sendable, Hashable {
    /// The text of the exception, or what was wrong with the result.
    package let message: String
    /// The line of the script, when it is known.
    package let line: Int?
    /// The name of the script, when it is known.
    package let file: String?
    /// True when the plugin is off from now on.
    package let isSwitchedOff: Bool
    /// True when the plugin broke its budget.
    package var isBreach = false
}

/// What the plugins of a stage made of an event.
package struct LivePluginStageResult: Sendable, Hashable {
    /// The event as it goes on; nil when a plugin dropped it.
    package let event: JSON?
    /// The plugins that were asked, in their order.
    package let steps: [LivePluginStep]
    /// Two numbers of the original event that a copy may stand for, because JavaScript takes them for one; the copy is
    /// then as JavaScript wrote it. Nil when every number is exact.
    package var collision: String?
}
