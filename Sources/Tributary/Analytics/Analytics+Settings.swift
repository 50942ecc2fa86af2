extension Analytics {
    /// The settings that apply; nil before the first settings.
    public func settings() -> Settings? { pipeline.currentSettings }

    /// Fetches settings now instead of at the next interval. Processing goes on meanwhile.
    /// - Parameter completion: called on a background thread when the client has applied the answer or the request has
    ///   failed.
    public func refreshSettings(completion: (@Sendable () -> Void)? = nil) {
        if holds(.init(other: { $0.settingsLoader.refresh(completion) }, ended: completion)) { return }
        settingsLoader.refresh(completion)
    }
}
