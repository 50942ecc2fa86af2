import Foundation
import TributaryJSON

/// The last two bundles that worked, each in a file that is replaced as a whole.
struct BundleStore: Sendable {
    private static let formatVersion = 1
    /// A byte of a script takes at most six bytes in JSON.
    private static let maximumBytes = 6 * LivePluginLimits.bundleBytes + 4096

    private let current: URL
    private let previous: URL

    /// The store in the folder of a client's write key.
    init(folder: URL) {
        current = folder.appendingPathComponent("live-plugins.json")
        previous = folder.appendingPathComponent("live-plugins-previous.json")
    }

    /// The stored bundles, newest first, and the problems of files without a usable bundle.
    ///
    /// A damaged bundle is no loss, because the workspace still has it.
    func load() -> (bundles: [ScriptBundle], problems: [String]) {
        var (bundles, problems): ([ScriptBundle], [String]) = ([], [])
        for file in [current, previous] {
            do {
                if let bundle = try Self.read(file) { bundles.append(bundle) }
            } catch {
                problems.append("\(file.lastPathComponent) holds no bundle that could run: \(error)")
            }
        }
        return (bundles, problems)
    }

    /// Stores a bundle, and keeps the newest bundle so far. The app's fallback is not stored, because it comes with
    /// the app.
    func store(_ bundle: ScriptBundle) throws {
        guard let version = bundle.version else { return }
        // A file that cannot be read is no use as the previous bundle.
        if let old = try? Self.read(current), old.version != bundle.version { try Self.replace(previous, by: current) }
        var json: JSON = [
            "format": .number(JSONNumber(Self.formatVersion)), "version": .number(JSONNumber(version)),
            "sha256": .string(ScriptBundle.sha256(of: Array(bundle.source.utf8))), "source": .string(bundle.source),
        ]
        json["signature"] = bundle.signature.map(JSON.string)
        try PrivateFile.write(json.encoded(), to: current)
    }

    /// The bundle in a file; nil when there is no such file.
    private static func read(_ file: URL) throws(Damage) -> ScriptBundle? {
        guard let json = try json(in: file) else { return nil }
        guard json["format"]?.intValue == formatVersion, let version = json["version"]?.intValue,
            let source = json["source"]?.stringValue
        else { throw Damage(description: "it is not a stored bundle") }
        guard json["sha256"]?.stringValue == ScriptBundle.sha256(of: Array(source.utf8)) else {
            throw Damage(description: "its script was changed after it was stored")
        }
        return ScriptBundle(version: version, source: source, signature: json["signature"]?.stringValue)
    }

    private static func json(in file: URL) throws(Damage) -> JSON? {
        do {
            return try PrivateFile.read(file, maximumBytes: maximumBytes).map { try JSON.parse($0) }
        } catch let error as JSONError {
            throw Damage(description: "\(error)")
        } catch {
            throw Damage(description: error.localizedDescription)
        }
    }

    /// The reason why a file cannot be used.
    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// A single step of the file system, so that after a crash the bundle is in one of the two places.
    private static func replace(_ file: URL, by other: URL) throws {
        guard rename(other.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }
}
