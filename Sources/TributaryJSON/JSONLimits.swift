/// The limits of a parser.
public struct JSONLimits: Sendable {
    /// The depth of nested arrays and objects. Deeper texts are refused before they can exhaust a stack. Values above
    /// 512 count as 512, which is safe on a thread with a stack of 512 KiB.
    public var depth: Int
    /// Length of a text in bytes.
    public var bytes: Int

    /// Levels of nested arrays and objects in an event, the event's own object included: 120. The client, scripts and
    /// the workspace leave out a value that is nested deeper, and only that value. Readers of JSON accept 128 levels,
    /// and a batch adds two around each event.
    public static let eventDepth = 120

    /// Limits; the defaults are 128 levels and 16 MiB.
    public init(depth: Int = 128, bytes: Int = 16 << 20) {
        self.depth = depth
        self.bytes = bytes
    }
}
