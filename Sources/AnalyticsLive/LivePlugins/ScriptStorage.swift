import Foundation
import TributaryJSON

/// What scripts store with `storage`: one small file of a client, replaced as a whole with each change.
///
/// Values that were stored while the file could not be read are kept in memory, and join the others once it can be.
/// Threading: one caller at a time.
final class ScriptStorage {
    private var file: StateFile?
    private var values = JSONObject()
    /// Keys that were set or removed before the file could be read.
    private var early: Set<String> = []

    /// - Parameters:
    ///   - folder: of the client's write key; nil keeps values in memory only.
    ///   - report: told when the file is of no use.
    init(folder: URL?, report: @escaping @Sendable (String) -> Void = { _ in }) {
        file = folder.map {
            StateFile(
                $0.appendingPathComponent("live-plugins-storage.json"), maximumBytes: LivePluginLimits.stateFileBytes,
                report: report)
        }
        catchUp()
    }

    subscript(key: String) -> JSON? {
        catchUp()
        return values[key]
    }

    /// Stores a value; nil removes it.
    /// - Throws: what the disk says, or that there is too much; the value is then as it was before.
    func set(_ value: JSON?, forKey key: String) throws {
        catchUp()
        guard values[key] != value || file?.isSettled == false else { return }
        var changed = values
        changed[key] = value
        let bytes = JSON.object(changed).encoded()
        guard bytes.count <= LivePluginLimits.storageBytes else {
            throw JSONError(.tooLarge, "scripts may store \(LivePluginLimits.storageBytes) bytes together")
        }
        if file?.isSettled == false { early.insert(key) } else { try file?.write(bytes) }
        values = changed
    }

    /// Reads the file if that was not possible until now. What scripts stored since then counts.
    private func catchUp() {
        guard file?.isSettled == false else { return }
        let stored = file?.read(\.objectValue)
        guard file?.isSettled == true else { return }
        var merged = stored ?? JSONObject()
        for key in early { merged[key] = values[key] }
        values = merged
        // A disk that refuses is tried again with the next value.
        if !early.isEmpty { try? file?.write(JSON.object(merged).encoded()) }
        early = []
    }
}
