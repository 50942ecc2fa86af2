/// The client that `Analytics.setup(with:)` made; it lives as long as the app.
enum SharedClient {
    private static let state = LockBox<Analytics?>(nil)

    /// Makes the client. Only the first configuration has an effect.
    static func setup(_ configuration: AnalyticsConfiguration) {
        let existing = state.withLock { client -> Analytics? in
            guard client == nil else { return client }
            let made = Analytics(configuration: configuration)
            made.becomeShared()
            client = made
            return nil
        }
        existing?.report(
            Diagnostic(.configuration, "the shared client already exists; setting it up again has no effect"))
    }
}
