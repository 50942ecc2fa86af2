import TributaryJSON
import TributaryScript

/// Runs the live plugins of one version of a bundle: in an engine, or as data.
protocol PluginRuntime: AnyObject {
    /// The reason why nothing runs any more; nil while the runtime works.
    var failure: ScriptError? { get }
    /// Gets the steps of notices that had to wait.
    var noticeHandler: (([LivePluginStep]) -> Void)? { get set }
    /// The plugins, in order.
    var registrations: [LivePluginRegistration] { get }

    /// Whether a plugin of the stage handles events of the type.
    func handles(type: LivePluginType, destination: String?, eventType: String) -> Bool
    /// Whether there is a plugin at that place of a destination's timeline.
    func stands(type: LivePluginType, destination: String) -> Bool
    /// Passes an event through the plugins of a stage, one after the other.
    func take(_ event: JSON, at type: LivePluginType, of destination: String?) -> LivePluginStageResult

    @discardableResult func update(settings: JSON, initial: Bool) -> [LivePluginStep]
    @discardableResult func reset() -> [LivePluginStep]
    @discardableResult func flush() -> [LivePluginStep]
    func process(_ signal: JSON, text: String, distance: Int, oldest: Int) throws(ScriptError)
    func refillSignals(size: Int, text: String) throws(ScriptError)
    /// Ends the runtime and releases its memory.
    func teardown()
}

extension LivePluginRuntime: PluginRuntime {
    func take(_ event: JSON, at type: LivePluginType, of destination: String?) -> LivePluginStageResult {
        run(type: type, destination: destination, event: event, text: nil)
    }
}

/// Data hears of events only: its compiler refuses scripts with anything else.
extension RuleRuntime: PluginRuntime {
    var failure: ScriptError? { nil }

    var noticeHandler: (([LivePluginStep]) -> Void)? {
        get { nil }
        set { _ = newValue }
    }

    func stands(type: LivePluginType, destination: String) -> Bool {
        host.plugins.stand(at: type, destination: destination)
    }

    func take(_ event: JSON, at type: LivePluginType, of destination: String?) -> LivePluginStageResult {
        run(type: type, destination: destination, event: event)
    }

    func update(settings: JSON, initial: Bool) -> [LivePluginStep] { [] }
    func reset() -> [LivePluginStep] { [] }
    func flush() -> [LivePluginStep] { [] }
    func process(_ signal: JSON, text: String, distance: Int, oldest: Int) {}
    func refillSignals(size: Int, text: String) {}
}
