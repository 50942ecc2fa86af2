extension Analytics {
    /// Reports an error of the app or of a plugin to the error handler, the log and the observers of diagnostics.
    ///
    /// The error handler gets this very error. May be called from any thread.
    /// - Parameter fatal: whether the error is a serious one, which is then logged as an error. It never ends the app.
    public func reportInternalError(_ error: any Error, fatal: Bool = false) {
        hub.report(Diagnostic(.reported, "\(error)", severity: fatal ? .error : .warning), error)
    }

    /// The same, by way of the client that `shared()` gives; without a client it is logged as an error.
    public static func reportInternalError(_ error: any Error, fatal: Bool = false) {
        guard let client = SharedClients.all.first else { return segmentLog(message: "\(error)", kind: .error) }
        client.reportInternalError(error, fatal: fatal)
    }
}
