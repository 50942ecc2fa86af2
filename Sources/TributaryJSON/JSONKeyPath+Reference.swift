/// References in mappings of the field: `["@path": "$.traits.email"]`, and `["@if": ["exists": value, "then": value,
/// "else": value]]`.
extension Dictionary where Key == String, Value == Any {
    /// The value at a path of keys joined by dots. Setting creates missing dictionaries on the way.
    public subscript(keyPath path: JSONKeyPath) -> Any? {
        get { self[keyPath: path, reference: nil] }
        set { self[keyPath: path.description] = newValue }
    }

    /// The value at a path, with references resolved.
    ///
    /// `["@path": "$.a.b"]` is replaced by the value at `a.b` in the reference. `["@if": …]` has `blank` or `exists`
    /// with a value; references in the value are resolved, too. It is replaced by its `then` when that value is missing or
    /// empty (`blank`) or exists (`exists`), otherwise by its `else`.
    /// - Parameter reference: the dictionary for `@path`. Without one, nothing is found there.
    public subscript(keyPath path: JSONKeyPath, reference reference: Any?) -> Any? {
        get { found(at: path.components, reference.flatMap { [String: Any](membersOf: $0) }, depth: 0) }
        set { self[keyPath: path.description] = newValue }
    }

    /// Whether there is a value at a path, with references resolved.
    public func exists(keyPath path: JSONKeyPath, reference: Any? = nil) -> Bool {
        self[keyPath: path, reference: reference] != nil
    }

    private func found(at components: ArraySlice<Substring>, _ reference: [String: Any]?, depth: Int) -> Any? {
        guard let first = components.first, depth < JSONLimits().depth, let member = self[String(first)] else {
            return nil
        }
        let members = [String: Any](membersOf: member)
        if let path = members?["@path"] { return referenced(path, reference) }
        if let condition = members?["@if"] {
            return [String: Any](membersOf: condition)?.chosen(reference, depth: depth + 1)
        }
        guard components.count > 1 else { return member }
        return members?.found(at: components.dropFirst(), reference, depth: depth)
    }

    private func referenced(_ path: Any, _ reference: [String: Any]?) -> Any? {
        guard let path = path as? String else { return nil }
        return reference?[keyPath: path.hasPrefix("$.") ? String(path.dropFirst(2)) : path]
    }

    /// The value of a condition.
    private func chosen(_ reference: [String: Any]?, depth: Int) -> Any? {
        func value(_ key: Substring) -> Any? { found(at: [key], reference, depth: depth) }
        if self["blank"] != nil {
            let blank = value("blank")
            return value(blank == nil || blank as? String == "" ? "then" : "else")
        }
        return self["exists"] == nil ? nil : value(value("exists") != nil ? "then" : "else")
    }
}
