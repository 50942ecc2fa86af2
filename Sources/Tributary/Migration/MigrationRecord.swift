import TributaryJSON

/// The progress of a migration, in a file that is replaced as a whole. After a crash, only the remaining part is
/// repeated.
struct MigrationRecord: Equatable, Sendable {
    private static let version = 1

    /// Whether files with events may be left.
    var hasEventsLeft: Bool
    /// The app's version that the other library saw last.
    var application: LegacySDKApplication?

    init(hasEventsLeft: Bool, application: LegacySDKApplication?) {
        self.hasEventsLeft = hasEventsLeft
        self.application = application
    }

    /// - Returns: nil when there is no file, or when this version cannot read its content.
    /// - Throws: when the file cannot be read now.
    init?(file: KeptFile) throws {
        guard let bytes = try file.read(), let json = try? JSON.parse(bytes),
            json["version"]?.intValue == Self.version
        else { return nil }
        hasEventsLeft = json["events"]?.stringValue == "left"
        application = LegacySDKApplication(
            version: json["application"]?["version"]?.stringValue, build: json["application"]?["build"]?.stringValue)
    }

    func store(in file: KeptFile) throws {
        var object: JSONObject = [
            "version": .number(JSONNumber(Self.version)), "events": .string(hasEventsLeft ? "left" : "done"),
        ]
        if let application {
            var members = JSONObject()
            members["version"] = application.version.map(JSON.string)
            members["build"] = application.build.map(JSON.string)
            object["application"] = .object(members)
        }
        try file.replace(with: JSON.object(object).encoded())
    }
}
