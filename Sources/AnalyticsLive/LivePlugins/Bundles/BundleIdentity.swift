import TributaryJSON

/// The identity of a deployed bundle. The same content under a new version is another bundle, because it was deployed
/// again on purpose.
struct BundleIdentity: Sendable, Hashable {
    let version: String
    let sha256: String

    init(version: String, sha256: String) {
        self.version = version
        self.sha256 = sha256
    }

    /// Reads what `json` wrote; nil for anything else.
    init?(_ json: JSON) {
        guard let version = json["version"]?.stringValue, let sha256 = json["sha256"]?.stringValue else { return nil }
        self.init(version: version, sha256: sha256)
    }

    var json: JSON { ["version": .string(version), "sha256": .string(sha256)] }
}
