/// A group that the user belongs to.
///
/// Unchecked like its base; its own members are constant.
public final class GroupPayload: Payload, @unchecked Sendable {
    /// The id of the group.
    public let groupId: String
    private let own: JSON?

    /// The group with that id and its traits.
    public init(
        groupId: String, traits: [String: Any]?, context: [String: Any], integrations: [String: Any]
    ) {
        var serialization = Serialization()
        self.groupId = groupId
        own = serialization.optional(traits, at: "traits")
        super.init(context: context, integrations: integrations, serialization.problems)
    }

    /// An empty payload, for tests of middleware.
    public convenience init() {
        self.init(groupId: "", traits: nil, context: [:], integrations: [:])
    }

    init(event: JSONObject) {
        groupId = event["groupId"]?.stringValue ?? ""
        own = event["traits"]
        super.init(event: event)
    }

    /// The traits of the group.
    public var traits: [String: Any]? { own?.dictionaryValue }

    override var wireType: String? { GroupEvent.typeName }
    override var members: [(key: String, value: JSON?)] { [("groupId", .string(groupId)), ("traits", own)] }
}
