public import TributaryJSON

/// The settings of the workspace: the enabled destinations and their options, filters and scripts.
///
/// A plugin gets them in `update(settings:type:)` and reads the options of its service:
///
/// ```swift
/// struct Options: Decodable { let apiKey: String }
/// func key(in settings: Settings) -> String? {
///     let options: Options? = settings.integrationSettings(forKey: "Amplitude")
///     return options?.apiKey
/// }
/// ```
public struct Settings: Sendable, Codable, Equatable {
    private var members: Members

    /// The options of each destination, by its key. A destination that is missing here does not run on the device.
    public var integrations: JSON? {
        get { members.integrations }
        set { own().integrations = newValue }
    }
    /// The tracking plan.
    public var plan: JSON? {
        get { members.plan }
        set { own().plan = newValue }
    }
    /// The version and the address of the live plugins.
    public var edgeFunction: JSON? {
        get { members.edgeFunction }
        set { own().edgeFunction = newValue }
    }
    /// Destination filters.
    public var middlewareSettings: JSON? {
        get { members.middlewareSettings }
        set { own().middlewareSettings = newValue }
    }
    /// The automatic signals to capture.
    public var autoInstrumentation: JSON? {
        get { members.autoInstrumentation }
        set { own().autoInstrumentation = newValue }
    }
    /// Telemetry options for other clients; this one sends no telemetry.
    public var metrics: JSON? {
        get { members.metrics }
        set { own().metrics = newValue }
    }
    /// The categories of consent.
    public var consentSettings: JSON? {
        get { members.consentSettings }
        set { own().consentSettings = newValue }
    }
    /// The whole document, including members without a property here.
    public var document: JSONObject {
        get { members.document }
        set { own().document = newValue }
    }

    /// Settings with only the cloud destination.
    public init() { self.init(document: ["integrations": ["Segment.io": true]]) }

    /// Settings from a document. A member of the wrong kind counts as missing.
    public init(document: JSONObject) { members = Members(document) }

    public static func == (one: Settings, other: Settings) -> Bool {
        one.members === other.members || one.members.isEqual(to: other.members)
    }

    /// The members for a change: a copy when other settings share them.
    private mutating func own() -> Members {
        if !isKnownUniquelyReferenced(&members) { members = Members(members) }
        return members
    }

    public init(from decoder: any Decoder) throws {
        let value = try JSON(from: decoder)
        guard let object = value.objectValue else {
            throw DecodingError.typeMismatch(
                Settings.self, .init(codingPath: decoder.codingPath, debugDescription: "settings are a JSON object"))
        }
        self.init(document: object)
    }

    public func encode(to encoder: any Encoder) throws { try JSON.object(document).encode(to: encoder) }

    /// The options of a destination as a dictionary; nil when it has none.
    public func integrationSettings(forKey key: String) -> [String: Any]? { integrations?[key]?.dictionaryValue }

    /// The options of a destination, decoded; nil when they are missing or do not fit the type.
    public func integrationSettings<Value: Decodable>(forKey key: String) -> Value? {
        integrations?[key]?.codableValue()
    }

    /// The options of a destination, decoded; under the name that the plugin documentation uses.
    public func integrationSettings<Value: Decodable>(name: String) -> Value? { integrationSettings(forKey: name) }

    /// Whether the workspace switched this client off: `"collection": {"enabled": false}`. The client then drops calls
    /// and sends nothing until it gets other settings.
    public var isCollectionSwitchedOff: Bool { document["collection"]?["enabled"] == .bool(false) }

    /// Whether the integrations have an entry for that key, even `false`.
    public func hasIntegrationSettings(key: String) -> Bool { integrations?[key] != nil }

    /// The settings with one more destination enabled.
    func enabling(_ key: String) -> Settings {
        guard !hasIntegration(key) else { return self }
        var document = document
        var integrations = integrations?.objectValue ?? [:]
        integrations[key] = true
        document["integrations"] = .object(integrations)
        return Settings(document: document)
    }

    /// Whether a destination is named here and not switched off.
    public func hasIntegration(_ key: String) -> Bool {
        guard let value = integrations?[key] else { return false }
        return value != .bool(false) && !value.isNull
    }
}

/// The members of settings. In a class, because all types that have settings would otherwise get code that copies each member.
///
/// Unchecked because settings change only members that nothing else has.
private final class Members: @unchecked Sendable {
    var integrations, plan, edgeFunction, middlewareSettings, autoInstrumentation, metrics, consentSettings: JSON?
    var document: JSONObject

    init(_ document: JSONObject) {
        self.document = document
        func object(_ key: String) -> JSON? { document[key].flatMap { $0.objectValue == nil ? nil : $0 } }
        integrations = object("integrations")
        plan = object("plan")
        edgeFunction = object("edgeFunction")
        middlewareSettings = object("middlewareSettings")
        autoInstrumentation = object("autoInstrumentation") ?? object("autoInstrumentationSettings")
        metrics = object("metrics")
        consentSettings = object("consentSettings")
    }

    init(_ other: Members) {
        document = other.document
        integrations = other.integrations
        plan = other.plan
        edgeFunction = other.edgeFunction
        middlewareSettings = other.middlewareSettings
        autoInstrumentation = other.autoInstrumentation
        metrics = other.metrics
        consentSettings = other.consentSettings
    }

    private var parts: [JSON?] {
        [integrations, plan, edgeFunction, middlewareSettings, autoInstrumentation, metrics, consentSettings]
    }

    func isEqual(to other: Members) -> Bool { document == other.document && parts == other.parts }
}
