extension Analytics {
    /// Reports an error of the app or of a plugin to the error handler, the log and the observers of diagnostics.
    ///
    /// The error handler gets the error unchanged. The call may be made from any thread.
    /// - Parameter fatal: true logs the error with the level of an error. It never ends the app.
    public func reportInternalError(_ error: any Error, fatal: Bool = false) {
        hub.report(Diagnostic(.reported, "\(error)", severity: fatal ? .error : .warning), error)
    }

    /// Reports an error to the client of `shared()`. Without a client, the log gets the error.
    public static func reportInternalError(_ error: any Error, fatal: Bool = false) {
        guard let client = SharedClients.all.first else { return segmentLog(message: "\(error)", kind: .error) }
        client.reportInternalError(error, fatal: fatal)
    }
}
