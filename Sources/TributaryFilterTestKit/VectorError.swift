/// The reason why a conformance file, or a vector in it, cannot be used.
public struct VectorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault, as a text for people.
    public let description: String

    init(_ description: String) { self.description = description }
}
