import Logging

extension Analytics {
    /// The client that was made first, of those that were not shut down: for apps that hand none around.
    ///
    /// Best make the client before anything asks for it. While there is none, this is one that drops everything and has
    /// neither server nor files; an error in the log says so once. It never ends the app.
    public static func shared() -> Analytics { SharedClients.all.first ?? absent }

    /// From now on `shared()` is this client, whichever was made first.
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

/// No server at all.
private struct AbsentServer: Transport {
    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        completion(.failure(TransportError("there is no client")))
    }
}
