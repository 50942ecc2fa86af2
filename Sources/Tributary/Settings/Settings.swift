public import TributaryJSON

/// The settings of the workspace: which destinations run, with what options, which filters and scripts apply.
public struct Settings: Sendable, Codable, Equatable {
    /// Options of each destination by its key; a destination that is missing here does not run on the device.
    public var integrations: JSON?
    /// The tracking plan.
    public var plan: JSON?
    /// Version and address of the live plugins.
    public var edgeFunction: JSON?
    /// Destination filters.
    public var middlewareSettings: JSON?
    /// Which automatic signals are captured.
    public var autoInstrumentation: JSON?
    /// Telemetry options of other clients; this one sends none.
    public var metrics: JSON?
    /// Consent categories.
    public var consentSettings: JSON?
    /// The whole document, also members that have no name here.
    public var document: JSONObject

    /// Settings with nothing but the cloud destination.
    public init() { self.init(document: ["integrations": ["Segment.io": true]]) }

    /// Settings out of a document; a member of the wrong kind counts as missing.
    public init(document: JSONObject) {
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

    public init(from decoder: any Decoder) throws {
        let value = try JSON(from: decoder)
        guard let object = value.objectValue else {
            throw DecodingError.typeMismatch(
                Settings.self, .init(codingPath: decoder.codingPath, debugDescription: "settings are a JSON object"))
        }
        self.init(document: object)
    }

    public func encode(to encoder: any Encoder) throws { try JSON.object(document).encode(to: encoder) }

    /// A destination's options as a dictionary; nil when it has none.
    public func integrationSettings(forKey key: String) -> [String: Any]? { integrations?[key]?.dictionaryValue }

    /// A destination's options as a type; nil when they are missing or do not fit.
    public func integrationSettings<Value: Decodable>(forKey key: String) -> Value? {
        integrations?[key]?.codableValue()
    }

    /// A destination's options as a type; the form of the plugin documentation.
    public func integrationSettings<Value: Decodable>(name: String) -> Value? { integrationSettings(forKey: name) }

    /// Whether the workspace switched this client off from afar: `"collection": {"enabled": false}`. Calls are then
    /// dropped, and what waits is not sent, until other settings come.
    public var isCollectionSwitchedOff: Bool { document["collection"]?["enabled"] == .bool(false) }

    /// Whether there is anything of that key among the integrations, even `false`.
    public func hasIntegrationSettings(key: String) -> Bool { integrations?[key] != nil }

    /// The same settings with a destination that they do not enable.
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
