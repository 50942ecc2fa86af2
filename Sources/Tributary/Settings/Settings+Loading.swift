public import Foundation
import TributaryJSON

extension Settings {
    /// Settings with nothing but the cloud destination of that source.
    /// - Parameter apiHost: host and path that its events go to. Default: what the configuration says.
    public init(writeKey: String, apiHost: String? = nil) {
        var cloud: JSONObject = ["apiKey": .string(writeKey)]
        if let apiHost { cloud["apiHost"] = .string(apiHost) }
        self.init(document: ["integrations": ["Segment.io": .object(cloud)]])
    }

    /// Settings out of a file, for `Configuration.defaultSettings`; nil when there is none or when it holds no settings.
    public static func load(from url: URL?) -> Settings? {
        guard let url, url.isFileURL, let bytes = try? Data(contentsOf: url), bytes.count <= Limits.settingsBytes,
            let document = try? document([UInt8](bytes)).json.objectValue
        else { return nil }
        return Settings(document: document)
    }

    /// Settings out of a file that the app brings along, by its name with or without `.json`.
    /// - Parameter bundle: where the file lies. Default: the app's main bundle.
    public static func load(resource: String, bundle: Bundle = .main) -> Settings? {
        let name = resource.hasSuffix(".json") ? String(resource.dropLast(5)) : resource
        return load(from: bundle.url(forResource: name, withExtension: "json"))
    }
}
