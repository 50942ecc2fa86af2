extension JSON {
    /// This array with one more element.
    /// - Throws: `JSONError` when this is not an array, or when the value has no JSON form.
    public func add(value: Any) throws -> JSON {
        guard let elements else { throw JSONError(.mismatch, "a value can only be added to an array") }
        return .array(elements + [try JSON(value)])
    }

    /// This object with a new member, or with a new value for an existing member.
    /// - Throws: `JSONError` when this is not an object, or when the value has no JSON form.
    public func add(value: Any, forKey key: String) throws -> JSON {
        guard var object = objectValue else {
            throw JSONError(.mismatch, "the member \"\(key)\" can only be added to an object")
        }
        object[key] = try JSON(value)
        return .object(object)
    }

    /// This object without a member.
    /// - Throws: `JSONError` when this is not an object.
    public func remove(key: String) throws -> JSON {
        guard var object = objectValue else {
            throw JSONError(.mismatch, "the member \"\(key)\" can only be removed from an object")
        }
        object.removeValue(forKey: key)
        return .object(object)
    }

    /// The value at a path of keys joined by dots, decoded; nil when there is none or when it does not fit the type.
    public func value<Value: Decodable>(forKeyPath path: String) -> Value? { self[keyPath: path]?.codableValue() }

    /// Sets the value at a path of keys joined by dots, creating the objects that are missing on the way; nil removes
    /// it.
    /// - Returns: false when the value has no JSON form. Then nothing is changed.
    @discardableResult
    public mutating func setValue<Value: Encodable>(_ value: Value?, forKeyPath path: String) -> Bool {
        guard let value else {
            self[keyPath: path] = nil
            return true
        }
        guard let json = try? JSON(with: value) else { return false }
        self[keyPath: path] = json
        return true
    }

    /// The value at a path of keys joined by dots, as the type of the context.
    ///
    /// Reading is ``value(forKeyPath:)``, setting is ``setValue(_:forKeyPath:)``.
    @_disfavoredOverload
    public subscript<Value: Codable>(keyPath path: String) -> Value? {
        get { value(forKeyPath: path) }
        set { setValue(newValue, forKeyPath: path) }
    }
}
