import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The configuration of one source.
struct SourceConfig: Equatable {
    var writeKey: String
    var name: String
    /// Settings of destinations by their name.
    var integrations: JSONObject
    /// Routing rules.
    var filters: JSON
    /// The live plugins of the devices.
    var plugins: PluginsConfig
    /// Write keys with their names; nil keeps them.
    var keys: [KeyConfig]?
    /// Quota, addresses and signal switches; nil keeps them.
    var policy: JSON?
    /// The tracking plan; nil keeps it.
    var plan: JSON?
    /// The destinations of forwarding by name: kind, whether it is on, and settings without the secret; nil keeps them.
    var destinations: JSONObject?

    struct KeyConfig: Equatable {
        var key: String
        var name: String
    }

    /// The files with the texts of its live plugins.
    var pluginsFile: String { "live-plugins-\(writeKey).js" }
    var stagedFile: String { "live-plugins-\(writeKey)-staged.js" }

    /// The source as it is in the configuration file.
    var json: JSON {
        var json: JSON = ["name": .string(name), "integrations": .object(integrations), "filters": filters]
        json["keys"] = keys.map { keys in .array(keys.map { ["key": .string($0.key), "name": .string($0.name)] }) }
        json["policy"] = policy
        json["plan"] = plan
        json["destinations"] = destinations.map(JSON.object)
        if let bundle = plugins.forAll { json.add(bundle, in: pluginsFile) }
        guard let stage = plugins.staged else { return json }
        var staged: JSON = [:]
        staged.add(stage.bundle, in: stagedFile)
        staged["percentage"] = .number(stage.percentage)
        json["staged"] = staged
        return json
    }
}

extension SourceConfig {
    /// - Parameter read: reads a file beside the configuration file.
    init(_ writeKey: String, _ json: JSON, read: (String) throws -> Data) throws {
        let known: Set = [
            "name", "integrations", "filters", "livePlugins", "signature", "livePluginsWhere", "staged", "keys",
            "policy",
            "plan", "destinations",
        ]
        guard WriteKey.isValid(writeKey) else { throw Failure("\"\(writeKey)\" cannot be a source: \(WriteKey.rule)") }
        guard let object = json.objectValue else { throw Failure("the source \(writeKey) is not an object") }
        if object["percentage"] != nil {
            throw Failure("the percentage of \(writeKey) belongs into \"staged\", beside the livePlugins of the stage")
        }
        if let unknown = object.first(where: { !known.contains($0.key) }) {
            throw Failure("the source \(writeKey) has the unknown member \(unknown.key)")
        }
        self.writeKey = writeKey
        name = json["name"]?.stringValue ?? writeKey
        integrations = try Self.integrations(writeKey, json["integrations"])
        filters = json["filters"] ?? []
        guard filters.elements != nil else { throw Failure("the filters of \(writeKey) are not an array") }
        keys = try Self.keys(writeKey, json["keys"])
        if let json = json["policy"], !json.isNull {
            policy = try Self.usable("policy of \(writeKey)") { () throws(Refusal) in try SourcePolicy(json).json }
        }
        if let json = json["plan"], !json.isNull {
            plan = try Self.usable("plan of \(writeKey)") { () throws(Refusal) in try TrackingPlan(json).json }
        }
        destinations = try Self.destinations(writeKey, json["destinations"])
        plugins = PluginsConfig(
            forAll: try Self.bundle(writeKey, json, read), staged: try Self.stage(writeKey, json["staged"], read))
    }

    private static func bundle(
        _ writeKey: String, _ json: JSON, _ read: (String) throws -> Data
    ) throws -> PluginsConfig.Bundle? {
        guard let file = json["livePlugins"], !file.isNull else { return nil }
        guard let file = file.stringValue, !file.contains("/") else {
            throw Failure("livePlugins of \(writeKey) is the name of a file in the same folder")
        }
        let place = json["livePluginsWhere"]?.stringValue ?? PluginWhere.device.rawValue
        guard let place = PluginWhere(rawValue: place) else {
            throw Failure("livePluginsWhere of \(writeKey) is one of device, workspace and both")
        }
        return PluginsConfig.Bundle(text: try read(file), signature: json["signature"]?.stringValue, place: place)
    }

    private static func stage(
        _ writeKey: String, _ json: JSON?, _ read: (String) throws -> Data
    ) throws -> PluginsConfig.Rollout? {
        guard let json, !json.isNull else { return nil }
        guard let bundle = try bundle(writeKey, json, read), let percentage = json["percentage"]?.intValue,
            (1...99).contains(percentage)
        else {
            throw Failure("the staged live plugins of \(writeKey) need livePlugins and a percentage from 1 to 99")
        }
        return PluginsConfig.Rollout(bundle: bundle, percentage: percentage)
    }

    /// A part with the defaults filled in, so that two of them can be compared.
    private static func usable(_ name: String, _ normalized: () throws(Refusal) -> JSON) throws(Failure) -> JSON {
        do throws(Refusal) {
            return try normalized()
        } catch {
            throw Failure("the \(name) cannot be used: \(error.message)")
        }
    }

    private static func destinations(_ writeKey: String, _ json: JSON?) throws(Failure) -> JSONObject? {
        guard let json, !json.isNull else { return nil }
        guard let wanted = json.objectValue else {
            throw Failure("the destinations of \(writeKey) are not an object of destinations by name")
        }
        var destinations = JSONObject()
        for (name, json) in wanted {
            destinations[name] = try usable("destination \(name) of \(writeKey)") { () throws(Refusal) in
                try DestinationFile.normalized(json, name: name)
            }
        }
        return destinations
    }

    private static func keys(_ writeKey: String, _ json: JSON?) throws(Failure) -> [KeyConfig]? {
        guard let json, !json.isNull else { return nil }
        let keys = json.elements?.compactMap { entry in
            entry["key"]?.stringValue.map { KeyConfig(key: $0, name: entry["name"]?.stringValue ?? $0) }
        }
        guard let keys, keys.count == json.elements?.count, !keys.isEmpty else {
            throw Failure("the keys of \(writeKey) are not an array of objects with a key and a name")
        }
        return keys
    }

    private static func integrations(_ writeKey: String, _ json: JSON?) throws -> JSONObject {
        guard let json else { return [:] }
        guard let integrations = json.objectValue, integrations.allSatisfy({ $0.value.objectValue != nil }) else {
            throw Failure("the integrations of \(writeKey) are not an object of settings by destination")
        }
        return integrations
    }
}

extension JSON {
    /// Writes the file name of a bundle, its signature, and where it runs unless that is on devices.
    fileprivate mutating func add(_ bundle: PluginsConfig.Bundle, in file: String) {
        self["livePlugins"] = .string(file)
        self["signature"] = bundle.signature.map(JSON.string)
        if bundle.place != .device { self["livePluginsWhere"] = .string(bundle.place.rawValue) }
    }
}
