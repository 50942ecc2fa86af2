/// A screen that the user saw.
///
/// Unchecked like its base; its own members are constant.
public final class ScreenPayload: Payload, @unchecked Sendable {
    /// The name of the screen.
    public let name: String
    /// The group of screens that it belongs to.
    public let category: String?
    private let own: JSON?
    private let type: String

    /// A screen with a name and properties.
    public init(
        name: String, category: String? = nil, properties: [String: Any]?, context: [String: Any],
        integrations: [String: Any]
    ) {
        var serialization = Serialization()
        self.name = name
        self.category = category
        own = serialization.optional(properties, at: "properties")
        type = ScreenEvent.typeName
        super.init(context: context, integrations: integrations, serialization.problems)
    }

    /// An empty payload, for tests of middleware.
    public convenience init() {
        self.init(name: "", properties: nil, context: [:], integrations: [:])
    }

    init(event: JSONObject) {
        name = event["name"]?.stringValue ?? ""
        category = event["category"]?.stringValue
        own = event["properties"]
        type = event["type"]?.stringValue ?? ScreenEvent.typeName
        super.init(event: event)
    }

    /// The properties of the screen.
    public var properties: [String: Any]? { own?.dictionaryValue }

    override var wireType: String? { type }
    override var members: [(key: String, value: JSON?)] {
        [("name", .string(name)), ("category", category.map(JSON.string)), ("properties", own)]
    }
}
