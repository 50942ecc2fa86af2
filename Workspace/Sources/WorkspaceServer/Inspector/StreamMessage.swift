import NIOCore
import TributaryJSON
import WorkspaceCore

/// One message of the event stream in the form that it goes over the wire.
package struct StreamMessage: Sendable {
    /// How far a listener has come with it; nil for a message that is not a row of the database.
    let sequence: Int64?
    let bytes: ByteBuffer

    /// A stored event, trace or signal.
    init(_ row: StoredRow) { self.init(name: Self.name(of: row.kind), sequence: row.sequence, text: row.text) }

    /// Figures.
    init(_ statistics: Statistics) {
        self.init(name: "stats", sequence: nil, text: statistics.json.encoded())
    }

    /// A message that shows that the connection lives. Browsers keep comments to themselves, so it has a name.
    static let heartbeat = StreamMessage(sequence: nil, bytes: ByteBuffer(string: "event: alive\ndata: {}\n\n"))
    /// A comment, and how soon to come back when the connection ends.
    static let greeting = StreamMessage(sequence: nil, bytes: ByteBuffer(string: "retry: 2000\n: hello\n\n"))

    private static func name(of kind: StoredRow.Kind) -> String {
        switch kind {
        case .event: "event"
        case .trace: "trace"
        case .signal: "signal"
        case .rejected: "rejected"
        }
    }

    /// JSON text has no line break of its own, so one line of data is enough.
    private init(name: String, sequence: Int64?, text: [UInt8]) {
        var bytes = ByteBuffer()
        if let sequence { bytes.writeString("id: \(sequence)\n") }
        bytes.writeString("event: \(name)\ndata: ")
        bytes.writeBytes(text)
        bytes.writeString("\n\n")
        self.init(sequence: sequence, bytes: bytes)
    }

    private init(sequence: Int64?, bytes: ByteBuffer) {
        (self.sequence, self.bytes) = (sequence, bytes)
    }
}
