public import TributaryJSON

/// Records a screen that a user saw.
public struct ScreenEvent: RawEvent {
    public static let typeName = "screen"
    /// The type of a page event, which is a screen event with another type.
    static let pageTypeName = "page"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> ScreenEvent? { plugin.screen(event: self) }

    /// A screen with that title and category.
    public init(title: String? = nil, category: String? = nil, properties: JSON? = nil) {
        json = ["type": .string(Self.typeName)]
        name = title
        self.category = category
        self.properties = properties
    }

    /// The title of the screen.
    public var name: String? {
        get { json["name"]?.stringValue }
        set { json["name"] = newValue.map(JSON.string) }
    }

    /// The category of the screen.
    public var category: String? {
        get { json["category"]?.stringValue }
        set { json["category"] = newValue.map(JSON.string) }
    }

    /// The properties of the screen.
    public var properties: JSON? {
        get { json["properties"] }
        set { json["properties"] = newValue }
    }
}
