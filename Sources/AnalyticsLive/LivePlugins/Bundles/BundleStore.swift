import Foundation
import Tributary
import TributaryJSON

/// The last two bundles that worked, each in a file that is replaced as a whole.
struct BundleStore: Sendable {
    private static let formatVersion = 1
    /// A byte of a script takes at most six bytes in JSON.
    private static let maximumBytes = 6 * LivePluginLimits.bundleBytes + 4096

    private let current: KeptFile
    private let previous: KeptFile

    /// The store in the folder of a client's write key.
    init(folder: KeptFolder) {
        current = folder.file("live-plugins.json")
        previous = folder.file("live-plugins-previous.json")
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
                let name = URL(fileURLWithPath: file.path).lastPathComponent
                problems.append("\(name) holds no bundle that could run: \(error)")
            }
        }
        return (bundles, problems)
    }

    /// Stores a bundle, and keeps the newest bundle so far. The app's fallback is not stored, because it comes with
    /// the app.
    func store(_ bundle: ScriptBundle) throws {
        guard let version = bundle.version else { return }
        // A file that cannot be read is no use as the previous bundle.
        if let old = try? Self.read(current), let oldVersion = old.version, oldVersion != version {
            try previous.replace(with: Self.json(old, version: oldVersion).encoded())
        }
        try current.replace(with: Self.json(bundle, version: version).encoded())
    }

    private static func json(_ bundle: ScriptBundle, version: Int) -> JSON {
        var json: JSON = [
            "format": .number(JSONNumber(formatVersion)), "version": .number(JSONNumber(version)),
            "sha256": .string(ScriptBundle.sha256(of: Array(bundle.source.utf8))), "source": .string(bundle.source),
        ]
        json["signature"] = bundle.signatures.first.map(JSON.string)
        if bundle.signatures.count > 1 { json["signatures"] = .array(bundle.signatures.map(JSON.string)) }
        if bundle.isLogged { json["logged"] = true }
        return json
    }

    /// The bundle in a file; nil when there is no such file.
    private static func read(_ file: KeptFile) throws(Damage) -> ScriptBundle? {
        guard let json = try json(in: file) else { return nil }
        guard json["format"]?.intValue == formatVersion, let version = json["version"]?.intValue,
            let source = json["source"]?.stringValue
        else { throw Damage(description: "it is not a stored bundle") }
        guard json["sha256"]?.stringValue == ScriptBundle.sha256(of: Array(source.utf8)) else {
            throw Damage(description: "its script was changed after it was stored")
        }
        let signatures = json["signatures"]?.elements ?? [json["signature"]].compactMap(\.self)
        return ScriptBundle(
            version: version, source: source, signatures: signatures.compactMap(\.stringValue),
            isLogged: json["logged"]?.boolValue == true)
    }

    private static func json(in file: KeptFile) throws(Damage) -> JSON? {
        do {
            return try file.read(maximumBytes).map { try JSON.parse($0) }
        } catch let error as JSONError {
            throw Damage(description: "\(error)")
        } catch {
            throw Damage(description: "\(error)")
        }
    }

    /// The reason why a file cannot be used.
    private struct Damage: Error, CustomStringConvertible {
        let description: String
    }
}
