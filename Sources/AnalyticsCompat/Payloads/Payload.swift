/// The content of a call, for middleware and integrations.
///
/// Ids and time may be set; an empty text means that there is none. To change anything else, make a new payload and put
/// it into a context with `modify`. The new payload takes over the ids and the time of the one before, unless it has
/// its own.
///
/// Unchecked because mutable state is behind the lock.
public class Payload: @unchecked Sendable {
    struct Ids: Equatable {
        var timestamp = ""
        var messageId = ""
        var anonymousId = ""
        var userId = ""
    }

    let ids: LockBox<Ids>
    /// The ids that it was made with.
    private let given: Ids
    private let surroundings: LockBox<JSONObject>
    let chosen: JSONObject
    /// The event that it was made from; nil for a payload that an app made.
    let origin: JSONObject?
    /// Descriptions of the values that were left out because they have no JSON form.
    let problems: [String]

    /// A payload with a context and a selection of destinations.
    ///
    /// Values without a JSON form are left out and reported. Known members that `context` does not have are added when
    /// the payload is put into a context.
    public init(context: [String: Any], integrations: [String: Any]) {
        var serialization = Serialization()
        surroundings = LockBox(serialization.object(context, at: "context"))
        chosen = serialization.object(integrations, at: "integrations")
        problems = serialization.problems
        given = Ids()
        ids = LockBox(given)
        origin = nil
    }

    init(context: [String: Any], integrations: [String: Any], _ others: [String]) {
        var serialization = Serialization()
        surroundings = LockBox(serialization.object(context, at: "context"))
        chosen = serialization.object(integrations, at: "integrations")
        problems = others + serialization.problems
        given = Ids()
        ids = LockBox(given)
        origin = nil
    }

    /// Reads the payload of an event.
    /// - Parameter userId: replaces the event's `userId`, for types in which that has another meaning.
    init(event: JSONObject, userId: String? = nil) {
        surroundings = LockBox(event["context"]?.objectValue ?? [:])
        chosen = event["integrations"]?.objectValue ?? [:]
        problems = []
        origin = event
        func text(_ key: String) -> String { event[key]?.stringValue ?? "" }
        let found = Ids(
            timestamp: text("timestamp"), messageId: text("messageId"), anonymousId: text("anonymousId"),
            userId: userId ?? text("userId"))
        given = found
        ids = LockBox(found)
    }

    /// Makes the payload of a call without an event.
    init(context: JSONObject) {
        surroundings = LockBox(context)
        chosen = [:]
        problems = []
        origin = nil
        given = Ids()
        ids = LockBox(given)
    }

    /// The context: facts about app, device and system.
    public var context: [String: Any] { JSON.object(known).dictionaryValue ?? [:] }
    /// The destinations that may get the event: `All` and keys of destinations, with booleans or options as values.
    public var integrations: [String: Any] { JSON.object(chosen).dictionaryValue ?? [:] }
    /// The time of the call, as a protocol timestamp.
    public var timestamp: String {
        get { ids.withLock { $0.timestamp } }
        set { ids.withLock { $0.timestamp = newValue } }
    }
    /// The id of the event, which never changes.
    public var messageId: String {
        get { ids.withLock { $0.messageId } }
        set { ids.withLock { $0.messageId = newValue } }
    }
    /// The anonymous id of the installation.
    public var anonymousId: String {
        get { ids.withLock { $0.anonymousId } }
        set { ids.withLock { $0.anonymousId = newValue } }
    }
    /// The id of the user; empty for an unknown user.
    public var userId: String {
        get { ids.withLock { $0.userId } }
        set { ids.withLock { $0.userId = newValue } }
    }

    /// The context as JSON.
    var known: JSONObject { surroundings.withLock { $0 } }
    /// The type on the wire; nil for calls without an event.
    var wireType: String? { nil }
    var eventType: EventType { EventType(wire: wireType) }
    /// The members of this type of event besides ids and context. A nil removes a member.
    var members: [(key: String, value: JSON?)] { [] }

    /// Whether the payload equals the event that it was made from.
    func isUnchanged(of event: JSONObject) -> Bool {
        guard let origin, origin["messageId"] == event["messageId"] else { return false }
        return ids.withLock { $0 } == given
    }

    /// Takes missing values from another payload.
    func complete(after other: Payload, common: JSONObject) {
        let known = other.ids.withLock { $0 }
        ids.withLock { ids in
            if ids.timestamp.isEmpty { ids.timestamp = known.timestamp }
            if ids.messageId.isEmpty { ids.messageId = known.messageId }
            if ids.anonymousId.isEmpty { ids.anonymousId = known.anonymousId }
            if ids.userId.isEmpty { ids.userId = known.userId }
        }
        surroundings.withLock { context in
            for (key, value) in common where context[key] == nil { context[key] = value }
        }
    }
}
