import Foundation
import TributaryJSON

/// The last bundle that worked, in one file that is replaced as a whole.
struct BundleStore: Sendable {
    private static let formatVersion = 1

    let file: URL

    /// The store in the folder of a client's write key.
    init(folder: URL) { file = folder.appendingPathComponent("live-plugins.json") }

    /// The bundle that was stored last; nil when there is none, or its file is damaged.
    func load() -> ScriptBundle? {
        guard let data = try? Data(contentsOf: file), let json = try? JSON.parse([UInt8](data)),
            json["format"]?.intValue == Self.formatVersion, let version = json["version"]?.intValue,
            let source = json["source"]?.stringValue,
            json["sha256"]?.stringValue == ScriptBundle.sha256(of: Array(source.utf8))
        else { return nil }
        return ScriptBundle(version: version, source: source)
    }

    /// Keeps a bundle; the app's own fallback is not kept, since it comes with the app.
    func store(_ bundle: ScriptBundle) throws {
        guard let version = bundle.version else { return }
        let json: JSON = [
            "format": .number(JSONNumber(Self.formatVersion)), "version": .number(JSONNumber(version)),
            "sha256": .string(ScriptBundle.sha256(of: Array(bundle.source.utf8))), "source": .string(bundle.source),
        ]
        try Data(json.encoded()).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
