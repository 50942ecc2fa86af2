public import TributaryJSON

/// Who a user is, and what is known of them.
public struct IdentifyEvent: RawEvent {
    public static let typeName = "identify"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> IdentifyEvent? { plugin.identify(event: self) }

    /// Traits of the user with that id; nil leaves the id as it is.
    public init(userId: String? = nil, traits: JSON? = nil) {
        json = ["type": .string(Self.typeName)]
        if let userId { json["userId"] = .string(userId) }
        self.traits = traits
    }

    /// The traits of the user.
    public var traits: JSON? {
        get { json["traits"] }
        set { json["traits"] = newValue }
    }
}
