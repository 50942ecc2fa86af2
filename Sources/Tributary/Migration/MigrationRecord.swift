import TributaryJSON

/// How far a migration has come, in a file that is replaced as a whole: a crash in the middle repeats what is left.
struct MigrationRecord: Equatable, Sendable {
    private static let version = 1

    /// Whether files with events are still to be looked at.
    var hasEventsLeft: Bool
    /// The app's version that the other library saw last.
    var application: LegacySDKApplication?

    init(hasEventsLeft: Bool, application: LegacySDKApplication?) {
        self.hasEventsLeft = hasEventsLeft
        self.application = application
    }

    /// - Returns: nil when there is no record, or none that this version understands.
    /// - Throws: when it cannot be read now.
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
