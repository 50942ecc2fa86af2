/// Replaces the dictionary of an event before it goes to the server.
public typealias SEGRawModificationBlock = @Sendable ([String: Any]) -> [String: Any]

/// Experimental options, which may be removed in a later version.
///
/// Unchecked because what changes is behind the lock.
public final class AnalyticsExperimental: @unchecked Sendable {
    private struct Values {
        var nanoseconds = false
        var raw: SEGRawModificationBlock?
    }

    private let values = LockBox(Values())

    init() {}

    /// Whether timestamps have nine digits after the second. Default: false, which means three.
    public var nanosecondTimestamps: Bool {
        get { values.withLock { $0.nanoseconds } }
        set { values.withLock { $0.nanoseconds = newValue } }
    }

    /// Changes events for the server, on the client's executor; it cannot drop events. Default: none.
    public var rawSegmentModificationBlock: SEGRawModificationBlock? {
        get { values.withLock { $0.raw } }
        set { values.withLock { $0.raw = newValue } }
    }
}
