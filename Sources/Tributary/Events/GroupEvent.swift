public import TributaryJSON

/// A company, team or other group that a user belongs to.
public struct GroupEvent: RawEvent {
    public static let typeName = "group"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> GroupEvent? { plugin.group(event: self) }

    /// The group with that id, and what is known of it.
    public init(groupId: String?, traits: JSON? = nil) {
        json = ["type": .string(Self.typeName)]
        self.groupId = groupId
        self.traits = traits
    }

    /// Identifies the group.
    public var groupId: String? {
        get { json["groupId"]?.stringValue }
        set { json["groupId"] = newValue.map(JSON.string) }
    }

    /// The traits of the group.
    public var traits: JSON? {
        get { json["traits"] }
        set { json["traits"] = newValue }
    }
}
