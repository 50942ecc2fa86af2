import Foundation

/// Decides which warnings are logged: of each kind the first ones in a minute. So a flood of one kind neither fills the
/// log nor hides other kinds.
struct LogLimit {
    /// How a warning is logged.
    struct Admission: Equatable {
        /// Warnings of the kind that were not logged since the last logged one.
        var omitted = 0
        /// Whether the next warnings of the kind will not be logged.
        var isLast = false
    }

    /// Warnings of one kind that are logged in one span.
    static let warningsPerSpan = 10
    /// Seconds of a span; it begins with the first warning of a kind.
    static let span: TimeInterval = 60

    private struct Span {
        var start: TimeInterval
        var logged = 0
        var omitted = 0
    }

    private var spans: [Diagnostic.Kind: Span] = [:]

    /// Counts a warning.
    /// - Parameter uptime: seconds of a clock that only moves forward.
    /// - Returns: nil when the warning must not be logged.
    mutating func admit(_ kind: Diagnostic.Kind, at uptime: TimeInterval) -> Admission? {
        var span = spans[kind] ?? Span(start: uptime)
        if uptime - span.start >= Self.span { span = Span(start: uptime, omitted: span.omitted) }
        defer { spans[kind] = span }
        guard span.logged < Self.warningsPerSpan else {
            span.omitted += 1
            return nil
        }
        span.logged += 1
        defer { span.omitted = 0 }
        return Admission(omitted: span.omitted, isLast: span.logged == Self.warningsPerSpan)
    }
}
