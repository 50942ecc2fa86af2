public import TributaryJSON

/// A user gets another id.
public struct AliasEvent: RawEvent {
    public static let typeName = "alias"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> AliasEvent? { plugin.alias(event: self) }

    /// The new id takes the place of the previous one.
    public init(newId: String?, previousId: String? = nil) {
        json = ["type": .string(Self.typeName)]
        userId = newId
        self.previousId = previousId
    }

    /// The id until now.
    public var previousId: String? {
        get { json["previousId"]?.stringValue }
        set { json["previousId"] = newValue.map(JSON.string) }
    }
}
