/// A script with guards, and the way back to the places of the original.
struct GuardedSource {
    let text: String
    let map: GuardMap
    /// Whether the script contains a big integer.
    let hasBigIntegers: Bool

    /// Rewrites a script.
    /// - Parameter firstLine: the number of its first line.
    /// - Throws: `TokenError` when the script cannot be read, or uses a name of the guards.
    init(_ source: String, firstLine: Int = 1) throws(TokenError) {
        var source = source
        let read = source.withUTF8 { bytes in
            Result { () throws(TokenError) in
                if let offset = ReservedNames.offset(in: bytes) {
                    throw TokenError(cause: .reservedName, offset: offset)
                }
                let places = try GuardInsertion.places(in: bytes)
                let insertions = places.insertions
                return (Self.rewritten(bytes, insertions), insertions, places.hasBigIntegers)
            }
        }
        let (text, insertions, hasBigIntegers) = try read.get()
        self.text = text
        self.hasBigIntegers = hasBigIntegers
        map = GuardMap(
            source: source, insertions: insertions.map { ($0.offset, $0.text.utf8.count) }, firstLine: firstLine)
    }

    private static func rewritten(
        _ bytes: UnsafeBufferPointer<UInt8>, _ insertions: [GuardPlaces.Insertion]
    ) -> String {
        var rewritten: [UInt8] = []
        rewritten.reserveCapacity(bytes.count + insertions.reduce(0) { $0 + $1.text.utf8.count })
        var done = 0
        for insertion in insertions {
            rewritten.append(contentsOf: bytes[done..<insertion.offset])
            rewritten.append(contentsOf: insertion.text.utf8)
            done = insertion.offset
        }
        rewritten.append(contentsOf: bytes[done...])
        return String(decoding: rewritten, as: UTF8.self)
    }
}
