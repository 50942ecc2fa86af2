public import TributaryJSON

/// An event on its way: a typed view of the JSON object that will go on the wire.
///
/// Members without a name in the type, which a recorded event or a script added, are kept in `json`.
public protocol RawEvent: Sendable, Codable, Equatable {
    /// The value of `type` on the wire.
    static var typeName: String { get }
    /// The members as they go on the wire, in their order.
    var json: JSONObject { get set }
    /// Closures for this event alone, which run behind the enrichment plugins: those that it has when it is given to
    /// `Analytics.process(event:)`, and those that a plugin of type `before` or `enrichment` gives it, behind those of the
    /// call. They are no part of what goes on the wire. Default: none.
    var enrichments: [EnrichmentClosure]? { get set }
    /// A view of these members; nothing is checked.
    init(json: JSONObject)
    /// Calls the plugin's function for events of this type; what it returns goes on, nil drops the event.
    func shown(to plugin: any EventPlugin) -> Self?
}

/// Any of the five event types; the name that the plugin documentation uses.
public typealias BaseEvent = any RawEvent

extension RawEvent {
    /// Events are equal when their members are.
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }

    /// An event of a type of its own has no closures.
    public var enrichments: [EnrichmentClosure]? {
        get { nil }
        set {}
    }

    /// An event of a type of its own: no plugin has a function for it.
    public func shown(to plugin: any EventPlugin) -> Self? { self }

    /// `track`, `identify`, `screen`, `group` or `alias`.
    public var type: String? {
        get { json["type"]?.stringValue }
        set { json["type"] = newValue.map(JSON.string) }
    }
    /// Identifies the event for good; servers store one event of an id.
    public var messageId: String? {
        get { json["messageId"]?.stringValue }
        set { json["messageId"] = newValue.map(JSON.string) }
    }
    /// Identifies the device or installation.
    public var anonymousId: String? {
        get { json["anonymousId"]?.stringValue }
        set { json["anonymousId"] = newValue.map(JSON.string) }
    }
    /// Identifies the user, once known.
    public var userId: String? {
        get { json["userId"]?.stringValue }
        set { json["userId"] = newValue.map(JSON.string) }
    }
    /// When it happened, as a protocol timestamp.
    public var timestamp: String? {
        get { json["timestamp"]?.stringValue }
        set { json["timestamp"] = newValue.map(JSON.string) }
    }
    /// The context: facts about app, device and system.
    public var context: JSON? {
        get { json["context"] }
        set { json["context"] = newValue }
    }
    /// Which destinations may see the event: `All` and keys of destinations to booleans or options.
    public var integrations: JSON? {
        get { json["integrations"] }
        set { json["integrations"] = newValue }
    }

    /// Counts that clients of the field add to an event; this client adds none.
    public var metrics: [JSON]? {
        get { json["metrics"]?.elements }
        set { json["metrics"] = newValue.map(JSON.array) }
    }
    /// Data for the server about destinations on the device, in events that were recorded with it. New events get it
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
