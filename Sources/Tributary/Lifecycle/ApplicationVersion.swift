import TributaryJSON

/// The version and the build of the app, as far as it has them.
struct ApplicationVersion: Equatable, Sendable {
    var version: String?
    var build: String?

    /// The version in the app's bundle.
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

/// The version of the last launch, in a file that is replaced as a whole.
struct ApplicationVersionFile: Sendable {
    static let name = "application.json"

    let file: KeptFile

    /// - Returns: nil when the app never ran, or when the file is not valid.
    /// - Throws: when the file cannot be read now, so it is unknown whether the app ran before.
    func load() throws -> ApplicationVersion? {
        guard let bytes = try file.read(), let json = try? JSON.parse(bytes) else { return nil }
        return ApplicationVersion(version: json["version"]?.stringValue, build: json["build"]?.stringValue)
    }

    func store(_ version: ApplicationVersion) throws {
        try file.replace(with: JSON.object(version.properties).encoded())
    }
}
