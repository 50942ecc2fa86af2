extension JSON {
    /// This value with other names for keys at every level, and with values that a closure has changed.
    ///
    /// Members stay in their order. When two keys get one name, the later member wins.
    /// - Parameters:
    ///   - keys: new names by old names.
    ///   - valueTransform: gets the new key and the value of each member that is not an object, and returns the new
    ///     value. An array comes after the objects in it. Default: values stay.
    /// - Throws: `JSONError` when a changed value has no JSON form.
    public func mapTransform(
        _ keys: [String: String], valueTransform: ((_ key: String, _ value: Any) -> Any)? = nil
    ) throws -> JSON {
        guard case .object(let object) = self else { return self }
        var result = JSONObject()
        for (key, value) in object {
            let newKey = keys[key] ?? key
            result[newKey] = try value.mapped(keys, newKey, valueTransform)
        }
        return .object(result)
    }

    private func mapped(
        _ keys: [String: String], _ key: String, _ transform: ((_ key: String, _ value: Any) -> Any)?
    ) throws -> JSON {
        switch self {
        case .object: return try mapTransform(keys, valueTransform: transform)
        case .array(let elements):
            let mapped = JSON.array(try elements.map { try $0.mapTransform(keys, valueTransform: transform) })
            return try transform.map { try JSON($0(key, mapped.anyValue)) } ?? mapped
        default: return try transform.map { try JSON($0(key, anyValue)) } ?? self
        }
    }
}

extension Dictionary where Key == String, Value == Any {
    /// Like `JSON.mapTransform`, for a dictionary.
    /// - Throws: `JSONError` when a value has no JSON form.
    public func mapTransform(
        _ keys: [String: String], valueTransform: ((_ key: String, _ value: Any) -> Any)? = nil
    ) throws -> [String: Any] {
        try JSON(self).mapTransform(keys, valueTransform: valueTransform).dictionaryValue ?? [:]
    }
}
