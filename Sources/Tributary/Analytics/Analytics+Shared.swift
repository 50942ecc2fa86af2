import Logging

extension Analytics {
    /// The first client of the process that was not shut down. For apps that do not pass their client around.
    ///
    /// Make the client before other code uses `shared()`. While there is no client, the result is a substitute that
    /// drops everything and has neither server nor files; the log has one error about that. The app is never ended.
    public static func shared() -> Analytics { SharedClients.all.first ?? absent }

    /// Makes this client the result of `shared()`, even when another client was made first.
    package func becomeShared() { SharedClients.all.prefer(self) }

    /// The substitute that `shared()` returns when there is no client.
    private static let absent: Analytics = {
        Logger(label: "tributary").error(
            "Analytics.shared() was asked for before a client was made: what is tracked with it is dropped")
        let configuration = Configuration(writeKey: "")
            .consent(.denied).storageMode(.memory(1)).migration(.off).autoAddSegmentDestination(false)
            .flushPolicies([]).settingsInterval(0).setTrackedApplicationLifecycleEvents(.none)
            .transport(AbsentServer())
        return Analytics(configuration, isShared: false)
    }()
}

/// The server of the substitute; every request fails.
private struct AbsentServer: Transport {
    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        completion(.failure(TransportError("there is no client")))
    }
}
