public import TributaryJSON

/// A conformance file: `{"vectors": [...]}`, or only the list.
public struct VectorFile: Sendable {
    /// The result of a vector.
    public struct Verdict: Sendable {
        /// The vector's position in the file.
        public let position: Int
        /// The name; empty when it could not be read.
        public let name: String
        /// Nil when the vector passed.
        public let failure: Failure?
    }

    /// The reason why a vector failed.
    public struct Failure: Sendable {
        /// Nil when the vector itself could not be read.
        public let expected: FilterVector.Answer?
        /// The actual answer, or the fault of the vector.
        public let got: FilterVector.Answer
    }

    private let vectors: [JSON]

    /// Takes the parsed file.
    ///
    /// - Throws: `VectorError` when it has no list of vectors.
    public init(_ json: JSON) throws(VectorError) {
        guard let vectors = json["vectors"]?.elements ?? json.elements else {
            throw VectorError("the file has no list of vectors")
        }
        guard !vectors.isEmpty else { throw VectorError("the list of vectors is empty") }
        self.vectors = vectors
    }

    /// The number of vectors.
    public var count: Int { vectors.count }

    /// Runs all vectors, in their order.
    public func verdicts() -> [Verdict] { vectors.indices.map(verdict) }

    /// Runs one vector. A vector that cannot be read fails: leaving it out would hide a mistake in the file.
    public func verdict(_ position: Int) -> Verdict {
        do throws(VectorError) {
            let vector = try FilterVector(vectors[position])
            let answer = vector.answer()
            let failure =
                answer.agrees(with: vector.expected) ? nil : Failure(expected: vector.expected, got: answer)
            return Verdict(position: position, name: vector.name, failure: failure)
        } catch {
            let name = vectors[position]["test"]?.stringValue ?? ""
            return Verdict(position: position, name: name, failure: Failure(expected: nil, got: .error("\(error)")))
        }
    }
}
