public import TributaryJSON

/// Gives a user another id.
public struct AliasEvent: RawEvent {
    public static let typeName = "alias"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> AliasEvent? { plugin.alias(event: self) }

    /// The new id replaces the previous one.
    public init(newId: String?, previousId: String? = nil) {
        json = ["type": .string(Self.typeName)]
        userId = newId
        self.previousId = previousId
    }

    /// The id before this event.
    public var previousId: String? {
        get { json["previousId"]?.stringValue }
        set { json["previousId"] = newValue.map(JSON.string) }
    }
}
