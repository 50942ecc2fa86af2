public import TributaryJSON

/// Sets the id and traits of a user.
public struct IdentifyEvent: RawEvent {
    public static let typeName = "identify"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> IdentifyEvent? { plugin.identify(event: self) }

    /// An event for that id and those traits. With nil, the id stays as it is.
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
