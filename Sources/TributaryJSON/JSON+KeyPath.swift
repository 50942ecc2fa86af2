extension JSON {
    /// The value at a path of keys joined by dots (`"device.id"`).
    ///
    /// Setting creates the objects that are missing on the way, and replaces what is in the way; setting nil removes.
    public subscript(keyPath path: String) -> JSON? {
        get { self[path: Self.components(path)] }
        set { set(newValue, at: Self.components(path)) }
    }

    private subscript(path components: ArraySlice<Substring>) -> JSON? {
        var current: JSON? = self
        for component in components { current = current?[String(component)] }
        return current
    }

    private mutating func set(_ value: JSON?, at components: ArraySlice<Substring>) {
        guard let first = components.first else { return }
        let key = String(first)
        if components.count == 1 {
            self[key] = value
        } else {
            if value == nil, self[key] == nil { return }
            var child = self[key] ?? [:]
            child.set(value, at: components.dropFirst())
            self[key] = child
        }
    }

    private static func components(_ path: String) -> ArraySlice<Substring> {
        path.split(separator: ".", omittingEmptySubsequences: false)[...]
    }
}

extension Dictionary where Key == String, Value == Any {
    /// The value at a path of keys joined by dots; setting creates the dictionaries that are missing on the way.
    public subscript(keyPath path: String) -> Any? {
        get { value(at: path.split(separator: ".", omittingEmptySubsequences: false)[...]) }
        set { set(newValue, at: path.split(separator: ".", omittingEmptySubsequences: false)[...]) }
    }

    private func value(at components: ArraySlice<Substring>) -> Any? {
        guard let first = components.first else { return nil }
        let member = self[String(first)]
        return components.count == 1 ? member : (member as? [String: Any])?.value(at: components.dropFirst())
    }

    private mutating func set(_ value: Any?, at components: ArraySlice<Substring>) {
        guard let first = components.first else { return }
        let key = String(first)
        if components.count == 1 {
            self[key] = value
        } else {
            var child = self[key] as? [String: Any] ?? [:]
            child.set(value, at: components.dropFirst())
            self[key] = child
        }
    }
}
