public import TributaryJSON

/// An event in the pipeline: a typed view of the JSON object that goes on the wire.
///
/// `json` also holds members that the type does not name, for instance from a recorded event or a script.
public protocol RawEvent: Sendable, Codable, Equatable {
    /// The value of `type` on the wire.
    static var typeName: String { get }
    /// The members as they go on the wire, in their order.
    var json: JSONObject { get set }
    /// Closures for this event alone, which run after the enrichment plugins. `Analytics.process(event:)` takes those
    /// of the given event. Plugins of type `before` or `enrichment` may add closures, which run after those of the
    /// call. They do not go on the wire. Default: none.
    var enrichments: [EnrichmentClosure]? { get set }
    /// A view of these members. The members are not checked.
    init(json: JSONObject)
    /// Calls the plugin's function for events of this type. The returned event goes on; nil drops the event.
    func shown(to plugin: any EventPlugin) -> Self?
}

/// Any of the five event types; the name that the plugin documentation uses.
public typealias BaseEvent = any RawEvent

extension RawEvent {
    /// Events are equal when their members are.
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }

    /// Ignores closures, for event types of an app.
    public var enrichments: [EnrichmentClosure]? {
        get { nil }
        set {}
    }

    /// Returns the event, for event types of an app: plugins have no function for them.
    public func shown(to plugin: any EventPlugin) -> Self? { self }

    /// This event, if it is of the type that the caller expects. Types are compared first, because a cast at run time costs
    /// more than the call of a plugin that does nothing.
    func typed<Event: RawEvent>() -> Event? {
        Self.self == Event.self ? unsafeBitCast(self, to: Event.self) : self as? Event
    }

    /// `track`, `identify`, `screen`, `group` or `alias`.
    public var type: String? {
        get { json["type"]?.stringValue }
        set { json["type"] = newValue.map(JSON.string) }
    }
    /// The permanent id of the event. Servers store only one event with an id.
    public var messageId: String? {
        get { json["messageId"]?.stringValue }
        set { json["messageId"] = newValue.map(JSON.string) }
    }
    /// The id of the device or installation.
    public var anonymousId: String? {
        get { json["anonymousId"]?.stringValue }
        set { json["anonymousId"] = newValue.map(JSON.string) }
    }
    /// The id of the user; nil for an unknown user.
    public var userId: String? {
        get { json["userId"]?.stringValue }
        set { json["userId"] = newValue.map(JSON.string) }
    }
    /// The time of the event, as a protocol timestamp.
    public var timestamp: String? {
        get { json["timestamp"]?.stringValue }
        set { json["timestamp"] = newValue.map(JSON.string) }
    }
    /// The context: facts about app, device and system.
    public var context: JSON? {
        get { json["context"] }
        set { json["context"] = newValue }
    }
    /// The destinations that may get the event: `All` and keys of destinations, with booleans or options as values.
    public var integrations: JSON? {
        get { json["integrations"] }
        set { json["integrations"] = newValue }
    }

    /// Counts that other clients of the field add to an event; this client adds none.
    public var metrics: [JSON]? {
        get { json["metrics"]?.elements }
        set { json["metrics"] = newValue.map(JSON.array) }
    }
    /// Data for the server about destinations on the device, in events that were recorded with it. Other events get it
    /// when they are sent.
    public var _metadata: DestinationMetadata? {
        get { json[DestinationMetadata.member]?.codableValue() }
        set { json[DestinationMetadata.member] = newValue.flatMap { try? JSON(with: $0) } }
    }

    /// Writes the members as they go on the wire.
    public func encode(to encoder: any Encoder) throws { try JSON.object(json).encode(to: encoder) }

    /// Reads the members as they come from the wire.
    public init(from decoder: any Decoder) throws {
        let value = try JSON(from: decoder)
        guard let object = value.objectValue else {
            throw DecodingError.typeMismatch(
                Self.self, .init(codingPath: decoder.codingPath, debugDescription: "an event is a JSON object"))
        }
        self.init(json: object)
    }
}
