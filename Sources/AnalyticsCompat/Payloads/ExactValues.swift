/// Restores what dictionaries of `Any` change unintentionally: the order of members, and the spelling of numbers.
enum ExactValues {
    /// The value, with the parts of the original that are equal to its parts.
    static func restored(_ value: JSON, from original: JSON?) -> JSON {
        guard let original, value != original else { return original ?? value }
        switch (value, original) {
        case (.object(let new), .object(let old)): return .object(restored(new, from: old))
        case (.array(let new), .array(let old)) where new.count == old.count:
            return .array(zip(new, old).map { restored($0, from: $1) })
        case (.number, .number):
            // A number that no Swift type holds is returned as another number. Then the app has not changed it.
            return (try? JSON(original.anyValue)) == value ? original : value
        default: return value
        }
    }

    /// Members of the original keep their places; new members come after them.
    private static func restored(_ new: JSONObject, from old: JSONObject) -> JSONObject {
        var result = JSONObject()
        for (key, value) in old {
            if let changed = new[key] { result[key] = restored(changed, from: value) }
        }
        for (key, value) in new where old[key] == nil { result[key] = value }
        return result
    }
}
