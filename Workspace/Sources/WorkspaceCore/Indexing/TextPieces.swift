/// A JSON text in pieces. Its size is known before it is written.
struct TextPieces {
    private enum Piece {
        /// A place in the text that it is made of.
        case range(Range<Int>)
        case made([UInt8])
        case shared(SharedMembers, besides: Set<Int>)
    }

    private let source: UnsafeBufferPointer<UInt8>
    private var pieces: [Piece] = []
    private var isFirst = true
    /// The bytes of the text.
    private(set) var byteCount = 0

    /// - Parameter source: the text that ranges are in.
    init(of source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        pieces.reserveCapacity(32)
    }

    /// Whether the object that was begun has no members yet.
    var isEmpty: Bool { isFirst }

    mutating func beginObject() {
        add([UInt8(ascii: "{")])
        isFirst = true
    }

    mutating func endObject() {
        add([UInt8(ascii: "}")])
        isFirst = false
    }

    /// Adds a member as it stands in the source.
    mutating func addMember(_ range: Range<Int>) {
        separate()
        pieces.append(.range(range))
        byteCount += range.count
    }

    /// Adds the members of a batch that the object does not have itself.
    mutating func addMembers(_ shared: SharedMembers, besides places: Set<Int>) {
        let count = shared.byteCount(besides: places)
        guard count > 0 else { return }
        separate()
        pieces.append(.shared(shared, besides: places))
        byteCount += count
    }

    /// Adds a member with the value that another text has.
    mutating func addMember(_ name: StaticString, _ value: TextPieces) {
        separate()
        add(Array("\"\(name)\":".utf8))
        pieces += value.pieces
        byteCount += value.byteCount
    }

    /// Adds a value that was made.
    mutating func addValue(_ text: [UInt8]) { add(text) }

    /// The text.
    var bytes: [UInt8] { written().bytes }

    /// The text, and what of it is shared.
    func written() -> (bytes: [UInt8], shared: SharedText) {
        var bytes: [UInt8] = []
        var shared = SharedText()
        bytes.reserveCapacity(byteCount)
        for piece in pieces {
            switch piece {
            case .range(let range): bytes.append(contentsOf: source[range])
            case .made(let text): bytes.append(contentsOf: text)
            case .shared(let members, let places):
                let start = bytes.count
                members.append(to: &bytes, besides: places)
                shared.places.append(start..<bytes.count)
                shared.ids += members.ids(besides: places)
            }
        }
        return (bytes, shared)
    }

    private mutating func separate() {
        if !isFirst { add([UInt8(ascii: ",")]) }
        isFirst = false
    }

    private mutating func add(_ text: [UInt8]) {
        pieces.append(.made(text))
        byteCount += text.count
    }
}
