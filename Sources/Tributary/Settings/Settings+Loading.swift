public import Foundation
import TributaryJSON

extension Settings {
    /// Settings with only the cloud destination of that source.
    /// - Parameter apiHost: host and path for its events. Default: the configuration's.
    public init(writeKey: String, apiHost: String? = nil) {
        var cloud: JSONObject = ["apiKey": .string(writeKey)]
        if let apiHost { cloud["apiHost"] = .string(apiHost) }
        self.init(document: ["integrations": ["Segment.io": .object(cloud)]])
    }

    /// Settings from a file, for `Configuration.defaultSettings`; nil when there is no file or no settings in it.
    public static func load(from url: URL?) -> Settings? {
        guard let url, url.isFileURL, let bytes = try? Data(contentsOf: url), bytes.count <= Limits.settingsBytes,
            let document = try? document([UInt8](bytes)).json.objectValue
        else { return nil }
        return Settings(document: document)
    }

    /// Settings from a file in the app's bundle, by its name with or without `.json`.
    /// - Parameter bundle: the bundle with the file. Default: the app's main bundle.
    public static func load(resource: String, bundle: Bundle = .main) -> Settings? {
        let name = resource.hasSuffix(".json") ? String(resource.dropLast(5)) : resource
        return load(from: bundle.url(forResource: name, withExtension: "json"))
    }
}
