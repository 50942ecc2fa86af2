import Foundation
import TributaryJSON

/// The last two bundles that worked, each in a file that is replaced as a whole.
struct BundleStore: Sendable {
    private static let formatVersion = 1

    private let current: URL
    private let previous: URL

    /// The store in the folder of a client's write key.
    init(folder: URL) {
        current = folder.appendingPathComponent("live-plugins.json")
        previous = folder.appendingPathComponent("live-plugins-previous.json")
    }

    /// The bundles that were stored, newest first; without those whose files are missing or damaged.
    func load() -> [ScriptBundle] { [current, previous].compactMap(Self.read) }

    /// Keeps a bundle, and the one that was the newest until now; the app's own fallback is not kept, since it comes
    /// with the app.
    func store(_ bundle: ScriptBundle) throws {
        guard let version = bundle.version else { return }
        // What cannot be read is of no use as the one to go back to.
        if let old = Self.read(current), old.version != bundle.version { try Self.replace(previous, by: current) }
        var json: JSON = [
            "format": .number(JSONNumber(Self.formatVersion)), "version": .number(JSONNumber(version)),
            "sha256": .string(ScriptBundle.sha256(of: Array(bundle.source.utf8))), "source": .string(bundle.source),
        ]
        json["signature"] = bundle.signature.map(JSON.string)
        try PrivateFile.write(json.encoded(), to: current)
    }

    private static func read(_ file: URL) -> ScriptBundle? {
        guard let data = try? Data(contentsOf: file), let json = try? JSON.parse([UInt8](data)),
            json["format"]?.intValue == formatVersion, let version = json["version"]?.intValue,
            let source = json["source"]?.stringValue,
            json["sha256"]?.stringValue == ScriptBundle.sha256(of: Array(source.utf8))
        else { return nil }
        return ScriptBundle(version: version, source: source, signature: json["signature"]?.stringValue)
    }

    /// One step for the file system, so a crash leaves the bundle in one of the two places.
    private static func replace(_ file: URL, by other: URL) throws {
        guard rename(other.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}
