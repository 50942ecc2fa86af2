import AnalyticsLive
import TributaryJSON
import TributaryScript

/// The values that scripts have stored, in memory and with the limit of a device.
struct ScriptValues {
    private var values = JSONObject()

    subscript(key: String) -> JSON? { values[key] }

    /// - Parameter value: nil removes the value.
    /// - Throws: `ScriptError` when all values together would be too large.
    mutating func store(_ value: JSON?, forKey key: String) throws(ScriptError) {
        var changed = values
        changed[key] = value
        guard JSON.object(changed).encoded().count <= LivePluginLimits.storageBytes else {
            throw ScriptError(.badValue, "'\(key)' is not stored: \(LivePluginLimits.storageMessage)")
        }
        values = changed
    }
}
