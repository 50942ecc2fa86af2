package import TributaryJSON
package import TributaryScript

/// A source of events for scripts: the counterpart of an `Analytics` object in JavaScript.
///
/// Called on the thread that runs the script, while it runs. An implementation passes the call on and returns. It must
/// not call the runtime, and its time counts as the script's.
package protocol LivePluginSource: AnyObject {
    /// The traits of the current user; nil when there are none.
    var traits: JSON? { get }
    /// The id of the current user; nil before the first `identify`.
    var userId: String? { get }
    /// The anonymous id.
    var anonymousId: String? { get }

    // The context of each event names the script as the event's origin (`__eventOrigin`).
    func track(event: String, properties: JSON?, context: JSON)
    func identify(userId: String?, traits: JSON?, context: JSON)
    func screen(title: String, category: String?, properties: JSON?, context: JSON)
    func group(groupId: String, traits: JSON?, context: JSON)
    func alias(newId: String, context: JSON)
    func reset()
    func flush()
}

/// The client, as the runtime of live plugins needs it. As a source, it is the client itself.
package protocol LivePluginBridge: LivePluginSource {
    /// The number of all events of the client.
    var trackedEvents: Int { get }

    /// The source for `new Analytics(writeKey)` with another write key than the client's; nil when the client has
    /// ended.
    /// - Throws: the reason why there is none, for the script.
    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)?

    /// The index of a signal that a script adds.
    func nextSignalIndex() -> Int

    /// A value that a script stored; nil when there is none.
    func storedValue(forKey key: String) -> JSON?
    /// Stores a value of a script; nil removes it.
    /// - Throws: the reason why the script may not store it. Then nothing is changed.
    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError)

    /// A line that a script wrote to its console.
    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String)
}
