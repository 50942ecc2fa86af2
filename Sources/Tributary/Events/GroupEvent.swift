public import TributaryJSON

/// Associates a user with a company, team or other group.
public struct GroupEvent: RawEvent {
    public static let typeName = "group"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> GroupEvent? { plugin.group(event: self) }

    /// A group with that id and those traits.
    public init(groupId: String?, traits: JSON? = nil) {
        json = ["type": .string(Self.typeName)]
        self.groupId = groupId
        self.traits = traits
    }

    /// The id of the group.
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
