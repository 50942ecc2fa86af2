/// An action of the user.
///
/// Unchecked like its base; its own members are constant.
public final class TrackPayload: Payload, @unchecked Sendable {
    /// The name of the event.
    public let event: String
    private let own: JSON?

    /// An event with a name and properties.
    public init(
        event: String, properties: [String: Any]?, context: [String: Any], integrations: [String: Any]
    ) {
        var serialization = Serialization()
        self.event = event
        own = serialization.optional(properties, at: "properties")
        super.init(context: context, integrations: integrations, serialization.problems)
    }

    /// An empty payload, for tests of middleware.
    public convenience init() {
        self.init(event: "", properties: nil, context: [:], integrations: [:])
    }

    init(event: JSONObject) {
        self.event = event["event"]?.stringValue ?? ""
        own = event["properties"]
        super.init(event: event)
    }

    /// The properties of the event.
    public var properties: [String: Any]? { own?.dictionaryValue }

    override var wireType: String? { TrackEvent.typeName }
    override var members: [(key: String, value: JSON?)] { [("event", .string(event)), ("properties", own)] }
}
