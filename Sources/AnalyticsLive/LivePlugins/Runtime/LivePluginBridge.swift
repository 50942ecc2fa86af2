package import TributaryJSON
package import TributaryScript

/// One source of events as scripts see it: the counterpart of an `Analytics` object of JavaScript.
///
/// Called on the thread that runs the script, while it runs. An implementation hands over and returns: it must not call
/// the runtime back, and the time that it takes counts as the script's.
package protocol LivePluginSource: AnyObject {
    /// The traits of the current user; nil when there are none.
    var traits: JSON? { get }
    /// The id of the current user; nil when nobody is identified.
    var userId: String? { get }
    /// The anonymous id.
    var anonymousId: String? { get }

    // The context of each is an object that names the script as the event's origin (`__eventOrigin`).
    func track(event: String, properties: JSON?, context: JSON)
    func identify(userId: String?, traits: JSON?, context: JSON)
    func screen(title: String, category: String?, properties: JSON?, context: JSON)
    func group(groupId: String, traits: JSON?, context: JSON)
    func alias(newId: String, context: JSON)
    func reset()
    func flush()
}

/// What the runtime of live plugins needs from the client. As a source, it is the client itself.
package protocol LivePluginBridge: LivePluginSource {
    /// How many events the client has been given in all.
    var trackedEvents: Int { get }

    /// The source for `new Analytics(writeKey)` with another write key than the client's; nil when the client has ended.
    /// - Throws: why there is none, for the script.
    func source(writeKey: String) throws(ScriptError) -> (any LivePluginSource)?

    /// The place of a signal that a script adds.
    func nextSignalIndex() -> Int

    /// A value that a script stored; nil when there is none.
    func storedValue(forKey key: String) -> JSON?
    /// Stores a value of a script; nil removes it.
    /// - Throws: why the script may not store it; everything is then as before.
    func storeValue(_ value: JSON?, forKey key: String) throws(ScriptError)

    /// A line that a script wrote to its console.
    func console(_ level: ScriptEngine.ConsoleLevel, _ text: String)
}
