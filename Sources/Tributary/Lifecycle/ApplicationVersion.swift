import Foundation
import TributaryJSON

/// Which app this is: its version and build, as far as it has them.
struct ApplicationVersion: Equatable, Sendable {
    var version: String?
    var build: String?

    /// What the app's bundle says.
    static var current: ApplicationVersion {
        let app = ContextReader.app
        return ApplicationVersion(version: app?["version"]?.stringValue, build: app?["build"]?.stringValue)
    }

    var properties: JSONObject {
        var properties = JSONObject()
        properties["version"] = version.map(JSON.string)
        properties["build"] = build.map(JSON.string)
        return properties
    }
}

/// The version that ran the last time, in a file that is replaced as a whole.
struct ApplicationVersionFile: Sendable {
    let url: URL

    /// - Returns: nil when the app never ran, or what is there cannot be read.
    func load() -> ApplicationVersion? {
        // A file that cannot be read counts as absent: its only use is to tell a first start from others.
        guard let data = try? Data(contentsOf: url), let json = try? JSON.parse([UInt8](data)) else { return nil }
        return ApplicationVersion(version: json["version"]?.stringValue, build: json["build"]?.stringValue)
    }

    func store(_ version: ApplicationVersion) throws {
        try Data(JSON.object(version.properties).encoded()).write(to: url, options: .atomic)
    }
}
