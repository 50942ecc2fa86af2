import NIOCore
import TributaryJSON
import WorkspaceCore

/// One message of the event stream in the form that it goes over the wire.
package struct StreamMessage: Sendable {
    /// How far a listener has come with it; nil for a message that is not a row of the database.
    let sequence: Int64?
    let bytes: ByteBuffer

    /// The kind of a message, which decides who gets it.
    enum Content: Sendable, Equatable {
        case row(StoredRow.Kind)
        /// Figures of all sources.
        case figures
        /// Nothing of any source.
        case sign
    }

    let content: Content
    /// Where in the bytes the row is.
    private var text = 0..<0

    /// A stored event, trace or signal.
    init(_ row: StoredRow) {
        self.init(.row(row.kind), name: Self.name(of: row.kind), sequence: row.sequence, text: row.text)
    }

    /// Figures.
    init(_ statistics: Statistics) {
        self.init(.figures, name: "stats", sequence: nil, text: statistics.json.encoded())
    }

    /// The row; nil for a message without one.
    var row: [UInt8]? {
        guard case .row = content else { return nil }
        return bytes.getBytes(at: bytes.readerIndex + text.lowerBound, length: text.count)
    }

    /// A message that shows that the connection lives. Browsers keep comments to themselves, so it has a name.
    static let heartbeat = StreamMessage(.sign, sequence: nil, bytes: ByteBuffer(string: "event: alive\ndata: {}\n\n"))
    /// A comment, and how soon to come back when the connection ends.
    static let greeting = StreamMessage(.sign, sequence: nil, bytes: ByteBuffer(string: "retry: 2000\n: hello\n\n"))

    private static func name(of kind: StoredRow.Kind) -> String {
        switch kind {
        case .event: "event"
        case .trace: "trace"
        case .signal: "signal"
        case .rejected: "rejected"
        }
    }

    /// JSON text has no line break of its own, so one line of data is enough.
    init(_ content: Content, name: String, sequence: Int64?, text: [UInt8]) {
        var bytes = ByteBuffer()
        if let sequence { bytes.writeString("id: \(sequence)\n") }
        bytes.writeString("event: \(name)\ndata: ")
        let start = bytes.readableBytes
        bytes.writeBytes(text)
        bytes.writeString("\n\n")
        self.init(content, sequence: sequence, bytes: bytes)
        self.text = start..<start + text.count
    }

    private init(_ content: Content, sequence: Int64?, bytes: ByteBuffer) {
        (self.content, self.sequence, self.bytes) = (content, sequence, bytes)
    }
}
