public import TributaryJSON

/// Records an action of a user.
public struct TrackEvent: RawEvent {
    public static let typeName = "track"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> TrackEvent? { plugin.track(event: self) }

    /// An event with that name.
    public init(event: String, properties: JSON?) {
        json = JSONObject(minimumCapacity: Limits.usualMembers)
        json["type"] = .string(Self.typeName)
        json["event"] = .string(event)
        self.properties = properties
    }

    /// The name of the action, in the past tense (`Order Completed`).
    public var event: String {
        get { json["event"]?.stringValue ?? "" }
        set { json["event"] = .string(newValue) }
    }

    /// The properties of the event.
    public var properties: JSON? {
        get { json["properties"] }
        set { json["properties"] = newValue }
    }
}
