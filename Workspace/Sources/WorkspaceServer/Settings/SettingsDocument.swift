import TributaryJSON

/// What a client of a source is told: where to send, which destinations run, which code and rules to fetch.
struct SettingsDocument {
    let source: Source
    /// Scheme, host and port under which the client reached this server.
    let origin: String

    var json: JSON {
        [
            "_lastModified": .string(ISO8601.string(milliseconds: source.updatedAt)),
            "integrations": .object(integrations),
            "plan": [
                "track": ["__default": ["enabled": true, "integrations": [:]]],
                "identify": ["__default": ["enabled": true]],
                "group": ["__default": ["enabled": true]],
            ],
            "edgeFunction": edgeFunction,
            "middlewareSettings": ["routingRules": source.filters],
            // Clients of the field would report their own workings to their maker.
            "metrics": ["sampleRate": 0],
            "autoInstrumentation": instrumentation,
            "autoInstrumentationSettings": instrumentation,
            "consentSettings": [:],
            "analyticsNextEnabled": true,
            "enabledMiddleware": [:],
            "legacyVideoPluginsEnabled": false,
            "remotePlugins": [],
        ]
    }

    /// The cloud destination always points here, or a client would move elsewhere after its first look at this.
    private var integrations: JSONObject {
        var cloud: JSONObject = [
            "apiKey": .string(source.writeKey),
            "apiHost": .string("\(origin)/v1"),
            "unbundledIntegrations": [],
            "addBundledMetadata": true,
            "maybeBundledConfigIds": [:],
            "versionSettings": ["version": "4.4.7", "componentTypes": ["browser"]],
        ]
        for (key, value) in source.integrations[Self.cloudName]?.objectValue ?? JSONObject() { cloud[key] = value }
        var integrations: JSONObject = [Self.cloudName: .object(cloud)]
        for (name, value) in source.integrations where name != Self.cloudName { integrations[name] = value }
        return integrations
    }

    private var edgeFunction: JSON {
        guard let bundle = source.bundle else { return [:] }
        let version = JSON.number(JSONNumber(bundle.version))
        if bundle.isOff { return ["version": version, "downloadURL": ""] }
        var edgeFunction: JSON = [
            "version": version,
            "downloadURL": .string(
                "\(origin)/v1/projects/\(source.writeKey)/live-plugins/\(bundle.version).js"),
            "sha256": .string(bundle.sha256),
        ]
        edgeFunction["signature"] = bundle.signature.map(JSON.string)
        return edgeFunction
    }

    /// Under both names: the documents and the clients disagree about which one it is.
    private var instrumentation: JSON { ["disableTraffic": false, "sampleRate": 1] }

    private static let cloudName = "Segment.io"
}
