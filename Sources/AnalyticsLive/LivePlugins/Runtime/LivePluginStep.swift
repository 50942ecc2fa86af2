package import TributaryJSON

/// The effect of one live plugin on an event, or on a notice.
package struct LivePluginStep: Sendable, Hashable {
    /// The name of the plugin's class.
    package let plugin: String
    package let outcome: LivePluginOutcome
}

/// The outcome of a plugin's turn.
package enum LivePluginOutcome: Sendable, Hashable {
    case unchanged
    case changed
    /// The plugin returned null.
    case dropped
    /// The plugin threw, returned no event, or exceeded its budget, and the event went on as it was before that plugin. Or
    /// the app does not allow a part of its change, and the event went on without that part.
    case failed(LivePluginFault)
}

/// The reason why a plugin failed.
package struct LivePluginFault: Sendable, Hashable {
    /// The text of the exception, or the fault of the result.
    package let message: String
    /// The line of the script, when it is known.
    package let line: Int?
    /// The name of the script, when it is known.
    package let file: String?
    /// Whether the plugin is off from now on.
    package let isSwitchedOff: Bool
    /// True when the plugin broke its budget.
    package var isBreach = false
    /// True when the app does not allow a change of the plugin.
    package var isRefusal = false
}

extension LivePluginFault {
    /// Changes in one message; a script may make thousands.
    private static let namedRefusals = 5

    /// - Parameter refused: the actions that the app does not allow.
    init(refused: [String]) {
        let named = refused.prefix(Self.namedRefusals).joined(separator: ", ")
        let more = refused.count - Self.namedRefusals
        self.init(
            message: "the app does not allow scripts to \(named)" + (more > 0 ? " and \(more) more" : "")
                + "; this was undone",
            line: nil, file: nil, isSwitchedOff: false, isRefusal: true)
    }
}

/// The result of a stage's plugins for an event.
package struct LivePluginStageResult: Sendable, Hashable {
    /// The event that goes on; nil when a plugin dropped it.
    package let event: JSON?
    /// The steps of the plugins, in order.
    package let steps: [LivePluginStep]
    /// Two numbers of the original event that a copy may represent, because they are equal in JavaScript. The copy is
    /// then as JavaScript wrote it. Nil when every number is exact.
    package var collision: String?
}
