import TributaryJSON
import WorkspaceCore

/// The settings of a client: where to send, which destinations run, which code and rules to fetch.
struct SettingsDocument {
    let source: Source
    /// The client's key: one of the keys of the source.
    let key: String
    /// The anonymous id in the request, if there is one.
    let device: String?
    /// Scheme, host and port under which the client reached this server, and a path if there is one.
    let origin: String
    let attention: Attention
    /// For how long the server holds a request for settings, in seconds; 0 for not at all.
    let pushSeconds: Int
    /// Stops on devices have an end.
    let now: Int64

    var json: JSON {
        var json = withoutInterval
        json["settingsInterval"] = attention.settingsInterval.map { .number($0) }
        if pushSeconds > 0 { json["settingsPush"] = ["seconds": .number(pushSeconds)] }
        json["stopNumber"] = source.stops.announced(at: now).map { .number($0) }
        return json
    }

    private var withoutInterval: JSON {
        [
            "_lastModified": .time(source.updatedAt),
            "integrations": .object(integrations),
            "plan": [
                "track": .object(trackRules), "identify": ["__default": ["enabled": true]],
                "group": ["__default": ["enabled": true]],
            ],
            "edgeFunction": edgeFunction,
            "middlewareSettings": middlewareSettings,
            // Without this, clients of the field would send reports about themselves to their maker.
            "metrics": ["sampleRate": 0],
            "healthReports": [
                "sampleRate": source.policy.healthReports.rate, "minimumSeconds": .number(attention.reportInterval),
            ],
            "autoInstrumentation": instrumentation,
            "autoInstrumentationSettings": instrumentation,
            "consentSettings": consentSettings,
            "analyticsNextEnabled": true,
            "enabledMiddleware": [:],
            "legacyVideoPluginsEnabled": false,
            "remotePlugins": [],
        ]
    }

    /// The events that the tracking plan blocks for destinations on the device. Clients need a rule only for events
    /// that differ from the default.
    private var trackRules: JSONObject {
        let plan = source.plan
        var rules = JSONObject()
        for event in plan.events where event.name.type == .track && event.isBlocked == !plan.blocksUnplanned {
            guard let name = event.name.text else { continue }
            rules[name] = ["enabled": .bool(!event.isBlocked), "integrations": [:]]
        }
        rules["__default"] = ["enabled": .bool(!plan.blocksUnplanned), "integrations": [:]]
        return rules
    }

    /// The cloud destination always points here. Otherwise a client would move to another server after its first
    /// settings.
    private var integrations: JSONObject {
        var cloud: JSONObject = [
            "apiKey": .string(key), "apiHost": .string(apiHost), "unbundledIntegrations": [],
            "addBundledMetadata": true, "maybeBundledConfigIds": [:],
            "versionSettings": ["version": "4.4.7", "componentTypes": ["browser"]],
        ]
        for (key, value) in source.integrations[Source.cloudName]?.objectValue ?? JSONObject() { cloud[key] = value }
        var integrations: JSONObject = [Source.cloudName: .object(cloud)]
        for (name, value) in source.integrations where name != Source.cloudName {
            guard !source.stops.stopsDestination(name, at: now) else { continue }
            integrations[name] = withCategories(value, name)
        }
        return integrations
    }

    /// Clients of the field put `https://` before it, so it has no scheme with https. With http it has one, which the client of
    /// this project reads; others need the address in their configuration, with their own setting for http.
    private var apiHost: String {
        let secure = "https://"
        return (origin.hasPrefix(secure) ? String(origin.dropFirst(secure.count)) : origin) + "/v1"
    }

    /// A destination on the device needs what the destination of the same name on the server needs, unless its own settings
    /// say so. No destination is added here, because some clients would switch it on.
    private func withCategories(_ settings: JSON, _ name: String) -> JSON {
        guard settings.objectValue != nil, settings["consentSettings"] == nil,
            let categories = source.destinationCategories[name], !categories.isEmpty
        else { return settings }
        var settings = settings
        settings["consentSettings"] = ["categories": .strings(categories)]
        return settings
    }

    /// Which categories there are at all, and whether a destination needs none. Empty while no destination needs one. Clients
    /// of the field send nothing when every destination needs categories and the user allows none of them.
    private var consentSettings: JSON {
        var needs = source.destinationCategories
        for (name, settings) in source.integrations where name != Source.cloudName {
            let own = settings["consentSettings"]?["categories"]?.elements?.compactMap(\.stringValue)
            needs[name] = own ?? needs[name] ?? []
        }
        let all = Set(needs.values.joined()).sorted()
        guard !all.isEmpty else { return [:] }
        return ["allCategories": .strings(all), "hasUnmappedDestinations": .bool(needs.values.contains { $0.isEmpty })]
    }

    /// A version that is rolled out to some devices is listed beside the version for all. Each device computes whether
    /// it gets it, so settings are the same for everybody and a request needs no id. Clients that do not know staged
    /// versions run the version for all. A request that names its device gets the answer for that device.
    private var edgeFunction: JSON {
        // Without any version, a device would keep what it has on disk.
        if let newest = source.bundle, source.stops.stopsLivePlugins(newest.version, at: now),
            source.bundleForAll == nil || source.stops.stopsAllLivePlugins(at: now)
        {
            return reference(newest, source.bundleProof)
        }
        let staged = source.bundle.flatMap { bundle in
            // Devices of a stopped stage run the version for all.
            bundle.isStaged && !source.stops.stopsLivePlugins(bundle.version, at: now) ? bundle : nil
        }
        if let staged, let device {
            if Rollout.has(device, of: .livePlugins, version: staged.version, percentage: staged.percentage) {
                return reference(staged, source.bundleProof)
            }
            return withShadow(forAll, staged)
        }
        var edgeFunction = forAll
        guard let staged, staged.percentage > 0 else { return withShadow(edgeFunction, staged) }
        var stage = reference(staged, source.bundleProof)
        stage["percentage"] = .number(staged.percentage)
        edgeFunction["staged"] = stage
        return edgeFunction
    }

    /// The version for all, with the version that some devices run as a shadow. Each device computes whether it does.
    private func withShadow(_ forAll: JSON, _ staged: BundleVersion?) -> JSON {
        guard let staged, let percentage = source.shadowPercentage else { return forAll }
        var edgeFunction = forAll
        var shadow = reference(staged, source.bundleProof)
        shadow["percentage"] = .number(percentage)
        edgeFunction["shadow"] = shadow
        return edgeFunction
    }

    private var forAll: JSON { source.bundleForAll.map { reference($0, source.bundleForAllProof) } ?? [:] }

    /// Rules that are rolled out to some devices stand beside those for all, as with live plugins. Clients that do not know
    /// staged rules run the rules for all. Without any version there is nothing to count, so none is named.
    private var middlewareSettings: JSON {
        guard let newest = source.newestFilters else { return ["routingRules": []] }
        let forAll = served(source.filtersForAll)
        guard newest.set.isStaged else { return forAll }
        if let device {
            let isChosen = Rollout.has(
                device, of: .filters, version: newest.set.version, percentage: newest.set.percentage)
            return isChosen ? served(newest) : forAll
        }
        var json = forAll
        var staged = served(newest)
        staged["percentage"] = .number(newest.set.percentage)
        json["staged"] = staged
        return json
    }

    private func served(_ filters: ServedFilters?) -> JSON {
        ["routingRules": filters?.rules ?? [], "version": .number(filters?.set.version ?? 0)]
    }

    private func reference(_ bundle: BundleVersion, _ proof: BundleLog.Proof?) -> JSON {
        let version = JSON.number(bundle.version)
        // Devices run nothing of a version that runs in the workspace alone.
        // The number stays that of the version: devices take it up again when a stop is over.
        if bundle.isOff || !bundle.place.runsOnDevices || source.stops.stopsLivePlugins(bundle.version, at: now) {
            return ["version": version, "downloadURL": ""]
        }
        let folder = "\(origin)/v1/projects/\(key)/live-plugins"
        var reference: JSON = [
            "version": version,
            "downloadURL": .string("\(folder)/\(bundle.version).js"), "sha256": .string(bundle.sha256),
        ]
        let signatures = bundle.signatures
        // Clients that know one signature take the first one.
        reference["signature"] = signatures.first.map(JSON.string)
        if signatures.count > 1 { reference["signatures"] = .strings(signatures) }
        reference["log"] = proof?.json(url: folder + "/log")
        return reference
    }

    /// Under both names: the documents and the clients disagree about which one it is.
    private var instrumentation: JSON { source.policy.signals.json }
}
