import Foundation
import Tributary
import TributaryJSON

/// The bundles that must not run again on this device, each with its reason, in one file.
///
/// Safe from any thread: the list is only touched under its lock.
final class BundleQuarantine: Sendable {
    private static let formatVersion = 1

    private struct Entry: Sendable {
        let bundle: BundleIdentity
        let reason: String
    }

    private let file: URL?
    private let entries: LockBox<[Entry]>

    /// - Parameter folder: of the client's write key; nil forgets everything with the process.
    init(folder: URL?) {
        file = folder?.appendingPathComponent("live-plugins-quarantine.json")
        entries = LockBox(file.map(Self.read) ?? [])
    }

    /// Why the bundle must not run; nil when it may.
    func reason(against bundle: BundleIdentity) -> String? {
        entries.withLock { entries in entries.first { $0.bundle == bundle }?.reason }
    }

    /// Puts a bundle away for good.
    /// - Throws: what the disk says; the bundle is then only kept from running until the process ends.
    func add(_ bundle: BundleIdentity, reason: String) throws {
        let list = entries.withLock { entries in
            entries.removeAll { $0.bundle == bundle }
            entries.append(Entry(bundle: bundle, reason: reason))
            entries.removeFirst(max(0, entries.count - LivePluginLimits.quarantined))
            return entries
        }
        guard let file else { return }
        let json: JSON = [
            "format": .number(JSONNumber(Self.formatVersion)), "bundles": .array(list.map(Self.json)),
        ]
        try PrivateFile.write(json.encoded(), to: file)
    }

    private static func json(_ entry: Entry) -> JSON {
        var json = entry.bundle.json
        json["reason"] = .string(entry.reason)
        return json
    }

    private static func read(_ file: URL) -> [Entry] {
        guard let data = try? Data(contentsOf: file), let json = try? JSON.parse([UInt8](data)),
            json["format"]?.intValue == formatVersion
        else { return [] }
        return (json["bundles"]?.elements ?? []).compactMap { json in
            BundleIdentity(json).map { Entry(bundle: $0, reason: json["reason"]?.stringValue ?? "unknown") }
        }
    }
}
