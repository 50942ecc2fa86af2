/// A further id of the user.
///
/// Unchecked like its base. Its own members are constant except `before`, which is behind its lock.
public final class AliasPayload: Payload, @unchecked Sendable {
    /// The new id.
    public let theNewId: String
    private let before: LockBox<String?>

    /// A payload that gives the user this id, too.
    public init(newId: String, context: [String: Any], integrations: [String: Any]) {
        theNewId = newId
        before = LockBox(nil)
        super.init(context: context, integrations: integrations, [])
    }

    /// An empty payload, for tests of middleware.
    public convenience init() {
        self.init(newId: "", context: [:], integrations: [:])
    }

    init(event: JSONObject) {
        theNewId = event["userId"]?.stringValue ?? ""
        before = LockBox(event["previousId"]?.stringValue)
        // On the wire the new id is in `userId`.
        let previous = event["previousId"]?.stringValue ?? ""
        super.init(event: event, userId: previous == event["anonymousId"]?.stringValue ? "" : previous)
    }

    /// The id before this call: the user's, or the anonymous one.
    public var previousId: String {
        before.withLock { $0 } ?? (userId.isEmpty ? anonymousId : userId)
    }

    override func complete(after other: Payload, common: JSONObject) {
        super.complete(after: other, common: common)
        if let other = other as? AliasPayload { before.withLock { $0 = $0 ?? other.previousId } }
    }

    override var wireType: String? { AliasEvent.typeName }
    override var members: [(key: String, value: JSON?)] {
        [("userId", .string(theNewId)), ("previousId", .string(previousId))]
    }
}
