import Foundation
import TributaryJSON

/// What scripts store with `storage`: one small file of a client, replaced as a whole with each change.
final class ScriptStorage {
    private let file: URL?
    private var values: JSONObject

    /// - Parameter folder: of the client's write key; nil keeps values in memory only.
    init(folder: URL?) {
        file = folder?.appendingPathComponent("live-plugins-storage.json")
        let data = file.flatMap { try? Data(contentsOf: $0) }  // missing on the first launch
        values = data.flatMap { try? JSON.parse([UInt8]($0)).objectValue } ?? JSONObject()
    }

    subscript(key: String) -> JSON? { values[key] }

    /// Stores a value; nil removes it.
    /// - Throws: what the disk says, or that there is too much; the value is then as it was before.
    func set(_ value: JSON?, forKey key: String) throws {
        guard values[key] != value else { return }
        var changed = values
        changed[key] = value
        let bytes = JSON.object(changed).encoded()
        guard bytes.count <= LivePluginLimits.storageBytes else {
            throw JSONError(.tooLarge, "scripts may store \(LivePluginLimits.storageBytes) bytes together")
        }
        if let file { try Data(bytes).write(to: file, options: .atomic) }
        values = changed
    }
}
