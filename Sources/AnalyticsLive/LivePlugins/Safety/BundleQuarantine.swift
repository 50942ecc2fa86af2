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

    private struct State: Sendable {
        var file: StateFile?
        var entries: [Entry] = []
    }

    private let state: LockBox<State>

    /// - Parameters:
    ///   - folder: of the client's write key; nil forgets everything with the process.
    ///   - report: called when the file cannot be used. The list is then empty; a bad version fails again and is listed
    ///     again.
    init(folder: KeptFolder?, report: @escaping @Sendable (String) -> Void = { _ in }) {
        let file = folder.map {
            StateFile(
                $0, "live-plugins-quarantine.json",
                maximumBytes: LivePluginLimits.stateFileBytes, report: report)
        }
        state = LockBox(State(file: file))
        state.withLock { Self.catchUp(&$0) }
    }

    /// The reason why the bundle must not run; nil when it may.
    func reason(against bundle: BundleIdentity) -> String? {
        state.withLock { state in
            Self.catchUp(&state)
            return state.entries.first { $0.bundle == bundle }?.reason
        }
    }

    /// Adds a bundle permanently.
    /// - Throws: the error of the disk. The bundle is then only blocked until the process ends.
    func add(_ bundle: BundleIdentity, reason: String) throws {
        let (file, list) = state.withLock { state in
            Self.catchUp(&state)
            Self.append(Entry(bundle: bundle, reason: reason), to: &state.entries)
            return (state.file, state.entries)
        }
        guard let file else { return }
        guard file.isSettled else { throw CocoaError(.fileReadUnknown) }
        let json: JSON = [
            "format": .number(JSONNumber(Self.formatVersion)), "bundles": .array(list.map(Self.json)),
        ]
        try file.write(json.encoded())
    }

    /// Reads the file if that was not possible before. Entries that were added since then stay.
    private static func catchUp(_ state: inout State) {
        guard state.file?.isSettled == false, let stored = state.file?.read(read) else { return }
        let later = state.entries
        state.entries = stored
        for entry in later { append(entry, to: &state.entries) }
    }

    private static func append(_ entry: Entry, to entries: inout [Entry]) {
        entries.removeAll { $0.bundle == entry.bundle }
        entries.append(entry)
        entries.removeFirst(max(0, entries.count - LivePluginLimits.quarantined))
    }

    private static func json(_ entry: Entry) -> JSON {
        var json = entry.bundle.json
        json["reason"] = .string(entry.reason)
        return json
    }

    /// The list in a file; nil when any part is not valid.
    private static func read(_ json: JSON) -> [Entry]? {
        guard json["format"]?.intValue == formatVersion, let list = json["bundles"]?.elements else { return nil }
        let entries = list.compactMap { json in
            BundleIdentity(json).map { Entry(bundle: $0, reason: json["reason"]?.stringValue ?? "unknown") }
        }
        return entries.count == list.count ? entries : nil
    }
}
