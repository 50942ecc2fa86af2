import TributaryJSON

extension ScriptPermissions {
    /// Passes an event through the plugins of a stage. Plugins get only the members that they may see, and their changes are
    /// taken over as far as the app allows them.
    func restricting(
        _ event: JSON, by host: LivePluginHost, _ pass: (JSON) -> LivePluginStageResult
    ) -> LivePluginStageResult {
        let shown = shown(event)
        let result = pass(shown)
        let settlement = settle(result.event, shown: shown, of: event)
        host.refusals?.append(contentsOf: settlement.refused)
        return LivePluginStageResult(
            event: settlement.event, steps: Self.steps(result.steps, refused: settlement.refused),
            collision: result.collision)
    }

    /// The steps after changes were undone. All plugins of a stage get the event one after the other, so each plugin that
    /// changed it may have made the change.
    private static func steps(_ steps: [LivePluginStep], refused: [String]) -> [LivePluginStep] {
        guard !refused.isEmpty else { return steps }
        let fault = LivePluginFault(refused: refused)
        return steps.map { step in
            step.outcome == .changed || step.outcome == .dropped
                ? LivePluginStep(plugin: step.plugin, outcome: .failed(fault)) : step
        }
    }
}
