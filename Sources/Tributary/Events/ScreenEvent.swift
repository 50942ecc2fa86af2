public import TributaryJSON

/// A screen that a user saw.
public struct ScreenEvent: RawEvent {
    public static let typeName = "screen"
    /// The type of a page, which is a screen with another name.
    static let pageTypeName = "page"
    public var json: JSONObject
    public var enrichments: [EnrichmentClosure]?

    public init(json: JSONObject) { self.json = json }

    public func shown(to plugin: any EventPlugin) -> ScreenEvent? { plugin.screen(event: self) }

    /// A screen of that title, in a category of screens.
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
