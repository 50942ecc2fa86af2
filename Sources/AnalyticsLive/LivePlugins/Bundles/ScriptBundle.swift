import TributaryCryptography

/// The source of live plugins, deployed or from the app.
struct ScriptBundle: Sendable, Equatable {
    /// The deployed version; nil for the app's own fallback file.
    let version: Int?
    /// The script.
    let source: String
    /// The signatures of the script in base 64.
    var signatures: [String] = []
    /// Whether this device has checked that it stands in the log of deployments.
    var isLogged = false

    /// The version as scripts and events see it.
    var versionText: String { version.map(String.init) ?? "fallback" }

    /// The name in error messages.
    var fileName: String { version.map { "livePlugin-\($0).js" } ?? "fallback.js" }

    /// The identity of this bundle.
    var identity: BundleIdentity {
        BundleIdentity(version: versionText, sha256: Self.sha256(of: Array(source.utf8)))
    }

    /// The SHA-256 in lower-case hexadecimal digits. Empty, and so equal to no bundle's, when the system's library
    /// fails.
    static func sha256(of bytes: [UInt8]) -> String {
        (SHA256Digest.of(bytes) ?? []).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
