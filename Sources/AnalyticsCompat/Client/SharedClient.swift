/// The client that an app shares.
enum SharedClient {
    private struct State {
        var client: Analytics?
        var substitute: Analytics?
    }

    private static let state = LockBox(State())

    /// The first configuration counts.
    static func setup(_ configuration: AnalyticsConfiguration) {
        let existing = state.withLock { state in
            if let client = state.client { return client as Analytics? }
            state.client = Analytics(configuration: configuration)
            return nil
        }
        existing?.report(
            Diagnostic(.configuration, "the shared client is there already; setting it up again has no effect"))
    }

    static var current: Analytics {
        state.withLock { state in
            if let client = state.client ?? state.substitute { return client }
            let substitute = makeSubstitute()
            state.substitute = substitute
            return substitute
        }
    }

    /// Takes nothing, so that a call that comes too early costs its event and not the app.
    private static func makeSubstitute() -> Analytics {
        let client = Analytics(
            configuration: Configuration(writeKey: "").storageMode(.memory(1)).consent(.denied).migration(.off))
        client.report(
            Diagnostic(.configuration, "there is no shared client yet: Analytics.setup(with:) has to come first"))
        return client
    }
}
