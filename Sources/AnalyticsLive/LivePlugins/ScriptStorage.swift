import Tributary
import TributaryJSON

/// The values that scripts store with `storage`: one small file for each client, replaced as a whole at each change.
///
/// Values that were stored while the file could not be read stay in memory, and join the others when it can be read.
/// Threading: one caller at a time.
final class ScriptStorage {
    private var file: StateFile?
    private var values = JSONObject()
    /// Keys that were set or removed before the file could be read.
    private var early: Set<String> = []
    /// Whether the file lacks some of the values.
    private var isBehind = false
    private let mayKeep: () -> Bool
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - folder: of the client's write key; nil keeps values in memory only.
    ///   - report: called when the file cannot be used.
    ///   - mayKeep: whether values may be written to disk now. The user's consent decides that.
    init(
        folder: KeptFolder?, report: @escaping @Sendable (String) -> Void = { _ in },
        mayKeep: @escaping () -> Bool = { true }
    ) {
        self.mayKeep = mayKeep
        self.report = report
        file = folder.map {
            StateFile(
                $0, "live-plugins-storage.json", maximumBytes: LivePluginLimits.stateFileBytes,
                report: report)
        }
        if mayKeep() { catchUp() } else { forget() }
    }

    subscript(key: String) -> JSON? {
        catchUp()
        return values[key]
    }

    /// All values.
    var all: JSONObject {
        catchUp()
        return values
    }

    /// Stores a value; nil removes it.
    /// - Throws: the error of the disk, or the excess of the limit. Then the value is as before.
    func set(_ value: JSON?, forKey key: String) throws {
        catchUp()
        guard values[key] != value || isBehind || file?.isSettled == false else { return }
        var changed = values
        changed[key] = value
        let bytes = JSON.object(changed).encoded()
        guard bytes.count <= LivePluginLimits.storageBytes else {
            throw JSONError(.tooLarge, LivePluginLimits.storageMessage)
        }
        if file?.isSettled == false { early.insert(key) } else { try write(bytes) }
        values = changed
    }

    /// Deletes all values, also on disk.
    func forget() {
        values = JSONObject()
        early = []
        isBehind = false
        do {
            try file?.remove()
        } catch {
            report(
                "the values that scripts stored cannot be deleted; the client tries again at the next start: \(error)")
        }
    }

    /// Reads the file if that was not possible before. Values that scripts have stored since then win.
    private func catchUp() {
        guard file?.isSettled == false else { return }
        let stored = file?.read(\.objectValue)
        guard file?.isSettled == true else { return }
        var merged = stored ?? JSONObject()
        for key in early { merged[key] = values[key] }
        values = merged
        defer { early = [] }
        guard !early.isEmpty else { return }
        isBehind = true
        do {
            try write(JSON.object(merged).encoded())
        } catch {
            report(
                "the values that scripts stored cannot be written; the client tries again with the next value: \(error)"
            )
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        isBehind = true
        guard mayKeep() else { return }
        try file?.write(bytes)
        isBehind = false
    }
}
