/// The ids and the traits of a user.
///
/// Unchecked like its base; its own members are constant.
public final class IdentifyPayload: Payload, @unchecked Sendable {
    private let own: JSON?

    /// A user with these ids. Missing ids are taken from the event.
    public init(
        userId: String?, anonymousId: String?, traits: [String: Any]?, context: [String: Any],
        integrations: [String: Any]
    ) {
        var serialization = Serialization()
        own = serialization.optional(traits, at: "traits")
        super.init(context: context, integrations: integrations, serialization.problems)
        ids.withLock { ids in
            ids.userId = userId ?? ""
            ids.anonymousId = anonymousId ?? ""
        }
    }

    /// An empty payload, for tests of middleware.
    public convenience init() {
        self.init(userId: nil, anonymousId: nil, traits: nil, context: [:], integrations: [:])
    }

    init(event: JSONObject) {
        own = event["traits"]
        super.init(event: event)
    }

    /// The traits of the user.
    public var traits: [String: Any]? { own?.dictionaryValue }

    override var wireType: String? { IdentifyEvent.typeName }
    override var members: [(key: String, value: JSON?)] { [("traits", own)] }
    var traitsJSON: JSON? { own }
}
