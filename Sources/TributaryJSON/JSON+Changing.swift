extension JSON {
    /// This array with one more element.
    /// - Throws: `JSONError` when this is no array, or when the value has no JSON form.
    public func add(value: Any) throws -> JSON {
        guard let elements else { throw JSONError(.mismatch, "a value is added to what is no array") }
        return .array(elements + [try JSON(value)])
    }

    /// This object with a member more, or with another value for that member.
    /// - Throws: `JSONError` when this is no object, or when the value has no JSON form.
    public func add(value: Any, forKey key: String) throws -> JSON {
        guard var object = objectValue else {
            throw JSONError(.mismatch, "the member \"\(key)\" is added to what is no object")
        }
        object[key] = try JSON(value)
        return .object(object)
    }

    /// This object without a member.
    /// - Throws: `JSONError` when this is no object.
    public func remove(key: String) throws -> JSON {
        guard var object = objectValue else {
            throw JSONError(.mismatch, "the member \"\(key)\" is removed from what is no object")
        }
        object.removeValue(forKey: key)
        return .object(object)
    }

    /// The value at a path of keys joined by dots, as a type; nil when there is none or when it does not fit.
    public func value<Value: Decodable>(forKeyPath path: String) -> Value? { self[keyPath: path]?.codableValue() }

    /// Sets the value at a path of keys joined by dots, creating the objects that are missing on the way; nil removes it.
    /// - Returns: false when the value has no JSON form; nothing is changed then.
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

    /// The value at a path of keys joined by dots, as the type that is asked for.
    ///
    /// Reading is ``value(forKeyPath:)``, setting is ``setValue(_:forKeyPath:)``.
    @_disfavoredOverload
    public subscript<Value: Codable>(keyPath path: String) -> Value? {
        get { value(forKeyPath: path) }
        set { setValue(newValue, forKeyPath: path) }
    }
}
