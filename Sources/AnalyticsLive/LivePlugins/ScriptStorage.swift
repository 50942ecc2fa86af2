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
    /// Whether the file lacks some of the values.
    private var isBehind = false
    private let mayKeep: () -> Bool
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - folder: of the client's write key; nil keeps values in memory only.
    ///   - report: told when the file is of no use.
    ///   - mayKeep: whether values may be written to disk now, which the user's consent decides.
    init(
        folder: URL?, report: @escaping @Sendable (String) -> Void = { _ in },
        mayKeep: @escaping () -> Bool = { true }
    ) {
        self.mayKeep = mayKeep
        self.report = report
        file = folder.map {
            StateFile(
                $0.appendingPathComponent("live-plugins-storage.json"), maximumBytes: LivePluginLimits.stateFileBytes,
                report: report)
        }
        if mayKeep() { catchUp() } else { forget() }
    }

    subscript(key: String) -> JSON? {
        catchUp()
        return values[key]
    }

    /// Stores a value; nil removes it.
    /// - Throws: what the disk says, or that there is too much; the value is then as it was before.
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

    /// Drops all values, on disk too.
    func forget() {
        values = JSONObject()
        early = []
        isBehind = false
        do {
            try file?.remove()
        } catch {
            report("what scripts stored cannot be deleted, it is tried again at the next start: \(error)")
        }
    }

    /// Reads the file if that was not possible until now. What scripts stored since then counts.
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
            report("what scripts stored is not on disk, it is tried again with the next value: \(error)")
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        isBehind = true
        guard mayKeep() else { return }
        try file?.write(bytes)
        isBehind = false
    }
}
