/// A diagnostic as an error, for the configuration's error handler.
public struct AnalyticsError: Error, Sendable, CustomStringConvertible {
    /// What happened.
    public let diagnostic: Diagnostic

    init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

    /// The diagnostic on one line.
    public var description: String { diagnostic.description }
}
