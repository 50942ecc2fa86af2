/// A path of keys, joined by dots: `traits.address.city`.
///
/// A path is written as a text, so `dictionary[keyPath: "traits.address.city"]` needs no type.
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The path as it was written.
    public let description: String

    /// A path.
    public init(_ string: String) { description = string }

    /// A path.
    public init(stringLiteral value: String) { description = value }

    /// The keys; none when there are more than a document may have levels.
    var components: ArraySlice<Substring> {
        let components = description.split(separator: ".", omittingEmptySubsequences: false)
        return components.count <= JSONLimits().depth ? components[...] : []
    }
}

extension JSON {
    /// The value at a path; see ``subscript(keyPath:)-(String)``.
    public subscript(keyPath path: JSONKeyPath) -> JSON? {
        get { self[keyPath: path.description] }
        set { self[keyPath: path.description] = newValue }
    }

    /// The value at a path, as the type of the context. Setting nil removes it.
    @_disfavoredOverload
    public subscript<Value: Codable>(keyPath path: JSONKeyPath) -> Value? {
        get { value(forKeyPath: path.description) }
        set { setValue(newValue, forKeyPath: path.description) }
    }

    /// The value at a path, decoded; nil when there is none or when it does not fit the type.
    @_disfavoredOverload
    public func value<Value: Decodable>(forKeyPath path: JSONKeyPath) -> Value? { value(forKeyPath: path.description) }

    /// Sets the value at a path, and creates missing objects on the way; nil removes it.
    /// - Returns: false when the value has no JSON form. Then nothing is changed.
    @_disfavoredOverload
    @discardableResult
    public mutating func setValue<Value: Encodable>(_ value: Value?, forKeyPath path: JSONKeyPath) -> Bool {
        setValue(value, forKeyPath: path.description)
    }
}
