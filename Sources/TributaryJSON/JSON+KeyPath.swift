extension JSON {
    /// The value at a path of keys joined by dots (`"device.id"`).
    ///
    /// Setting creates missing objects on the way, and replaces values in the way; setting nil removes the value. A
    /// path with more keys than `JSONLimits` allows levels leads nowhere: it reads nil and sets nothing.
    public subscript(keyPath path: String) -> JSON? {
        get { self[path: KeyPathText.components(path)] }
        set { set(newValue, at: KeyPathText.components(path)) }
    }

    private subscript(path components: ArraySlice<Substring>) -> JSON? {
        guard !components.isEmpty else { return nil }
        var current: JSON? = self
        for component in components { current = current?[String(component)] }
        return current
    }

    private mutating func set(_ value: JSON?, at components: ArraySlice<Substring>) {
        guard let first = components.first else { return }
        let key = String(first)
        let rest = components.dropFirst()
        if rest.isEmpty {
            self[key] = value
        } else {
            if value != nil, self[key] == nil { self[key] = [:] }
            change(key) { $0.set(value, at: rest) }
        }
    }

    /// Changes a member in place; does nothing when it is missing.
    private mutating func change(_ key: String, _ change: (inout JSON) -> Void) {
        guard case .object(var object) = self else { return }
        self = .null  // drops the second reference, so the change below is made in place
        object.update(key, change)
        self = .object(object)
    }
}

extension Dictionary where Key == String, Value == Any {
    /// The value at a path of keys joined by dots. Setting creates missing dictionaries on the way.
    public subscript(keyPath path: String) -> Any? {
        get { value(at: KeyPathText.components(path)) }
        set { set(newValue, at: KeyPathText.components(path)) }
    }

    private func value(at components: ArraySlice<Substring>) -> Any? {
        guard let first = components.first else { return nil }
        let member = self[String(first)]
        guard components.count > 1 else { return member }
        return member.flatMap { [String: Any](membersOf: $0) }?.value(at: components.dropFirst())
    }

    private mutating func set(_ value: Any?, at components: ArraySlice<Substring>) {
        guard let first = components.first else { return }
        let key = String(first)
        if components.count == 1 {
            self[key] = value
        } else {
            let member = self[key].flatMap { [String: Any](membersOf: $0) }
            if value == nil, member == nil { return }
            var child = member ?? [:]
            child.set(value, at: components.dropFirst())
            self[key] = child
        }
    }
}

private enum KeyPathText {
    /// The keys of a path; none when there are more than a document may have levels.
    static func components(_ path: String) -> ArraySlice<Substring> {
        let components = path.split(separator: ".", omittingEmptySubsequences: false)
        return components.count <= JSONLimits().depth ? components[...] : []
    }
}
