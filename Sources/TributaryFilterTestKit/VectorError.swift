/// Why a conformance file, or one vector of it, cannot be used.
public struct VectorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, for a person to read.
    public let description: String

    init(_ description: String) { self.description = description }
}
