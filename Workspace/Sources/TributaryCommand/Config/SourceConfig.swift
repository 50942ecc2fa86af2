import Foundation
import TributaryJSON

/// Everything that an operator decides about one source.
struct SourceConfig: Equatable {
    var writeKey: String
    var name: String
    /// Settings of destinations by their name.
    var integrations: JSONObject
    /// Routing rules.
    var filters: JSON
    /// What devices run; nil for nothing.
    var plugins: PluginsConfig?

    struct PluginsConfig: Equatable {
        var text: Data
        /// The author's signature in base 64.
        var signature: String?
    }

    /// The file that has the text of its live plugins.
    var pluginsFile: String { "live-plugins-\(writeKey).js" }

    /// What the file of the configuration says of it.
    var json: JSON {
        var json: JSON = ["name": .string(name), "integrations": .object(integrations), "filters": filters]
        guard let plugins else { return json }
        json["livePlugins"] = .string(pluginsFile)
        json["signature"] = plugins.signature.map(JSON.string)
        return json
    }

    /// - Parameter read: gives the text of a file beside the one of the configuration.
    init(_ writeKey: String, _ json: JSON, read: (String) throws -> Data) throws {
        let known: Set = ["name", "integrations", "filters", "livePlugins", "signature"]
        guard let object = json.objectValue else { throw Failure("the source \(writeKey) is not an object") }
        if let unknown = object.first(where: { !known.contains($0.key) }) {
            throw Failure("the source \(writeKey) has \(unknown.key), which means nothing here")
        }
        self.writeKey = writeKey
        name = json["name"]?.stringValue ?? writeKey
        integrations = try Self.integrations(writeKey, json["integrations"])
        filters = json["filters"] ?? []
        guard filters.elements != nil else { throw Failure("the filters of \(writeKey) are not an array") }
        guard let file = json["livePlugins"], !file.isNull else { return }
        guard let file = file.stringValue, !file.contains("/") else {
            throw Failure("livePlugins of \(writeKey) is the name of a file in the same folder")
        }
        plugins = PluginsConfig(text: try read(file), signature: json["signature"]?.stringValue)
    }

    init(writeKey: String, name: String, integrations: JSONObject, filters: JSON, plugins: PluginsConfig?) {
        self.writeKey = writeKey
        self.name = name
        self.integrations = integrations
        self.filters = filters
        self.plugins = plugins
    }

    private static func integrations(_ writeKey: String, _ json: JSON?) throws -> JSONObject {
        guard let json else { return [:] }
        guard let integrations = json.objectValue, integrations.allSatisfy({ $0.value.objectValue != nil }) else {
            throw Failure("the integrations of \(writeKey) are not an object of settings by destination")
        }
        return integrations
    }
}
