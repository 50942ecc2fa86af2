/// A diagnostic as an error, for the configuration's error handler.
public struct AnalyticsError: Error, Sendable, CustomStringConvertible {
    /// What happened.
    public let diagnostic: Diagnostic

    /// The error that was reported with `Analytics.reportInternalError`; nil for what the client met itself.
    public let underlying: (any Error)?

    init(_ diagnostic: Diagnostic, underlying: (any Error)? = nil) {
        self.diagnostic = diagnostic
        self.underlying = underlying
    }

    /// The diagnostic on one line.
    public var description: String { diagnostic.description }
}
