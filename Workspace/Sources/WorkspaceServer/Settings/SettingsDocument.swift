import TributaryJSON

/// What a client of a source is told: where to send, which destinations run, which code and rules to fetch.
struct SettingsDocument {
    let source: Source
    /// The key that the client carries: one of those of the source.
    let key: String
    /// Who asks, when the request says so: an anonymous id.
    let device: String?
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
            "apiKey": .string(key),
            "apiHost": .string("\(origin)/v1"),
            "unbundledIntegrations": [],
            "addBundledMetadata": true,
            "maybeBundledConfigIds": [:],
            "versionSettings": ["version": "4.4.7", "componentTypes": ["browser"]],
        ]
        for (key, value) in source.integrations[Source.cloudName]?.objectValue ?? JSONObject() { cloud[key] = value }
        var integrations: JSONObject = [Source.cloudName: .object(cloud)]
        for (name, value) in source.integrations where name != Source.cloudName { integrations[name] = value }
        return integrations
    }

    /// A version that is not for all yet stands beside the one that is. Each device looks whether it is among those
    /// that shall have it, so settings stay the same for everybody and nobody has to say who they are. Clients that know
    /// nothing of stages run what is for all. A request that names its device is answered for that device.
    private var edgeFunction: JSON {
        let staged = source.bundle.flatMap { $0.isStaged ? $0 : nil }
        if let staged, let device {
            if Rollout.has(device, version: staged.version, percentage: staged.percentage) { return reference(staged) }
            return source.bundleForAll.map(reference) ?? [:]
        }
        var edgeFunction = source.bundleForAll.map(reference) ?? [:]
        guard let staged else { return edgeFunction }
        var stage = reference(staged)
        stage["percentage"] = .number(JSONNumber(staged.percentage))
        edgeFunction["staged"] = stage
        return edgeFunction
    }

    private func reference(_ bundle: BundleVersion) -> JSON {
        let version = JSON.number(JSONNumber(bundle.version))
        if bundle.isOff { return ["version": version, "downloadURL": ""] }
        var reference: JSON = [
            "version": version,
            "downloadURL": .string("\(origin)/v1/projects/\(key)/live-plugins/\(bundle.version).js"),
            "sha256": .string(bundle.sha256),
        ]
        reference["signature"] = bundle.signature.map(JSON.string)
        return reference
    }

    /// Under both names: the documents and the clients disagree about which one it is.
    private var instrumentation: JSON { source.policy.signals.json }
}
