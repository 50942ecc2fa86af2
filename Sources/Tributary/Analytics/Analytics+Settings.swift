extension Analytics {
    /// The settings that apply; nil until some do.
    public func settings() -> Settings? { pipeline.currentSettings }

    /// Fetches settings now instead of at the next interval; processing goes on meanwhile.
    /// - Parameter completion: called on a background thread when the answer was dealt with.
    public func refreshSettings(completion: (@Sendable () -> Void)? = nil) {
        if holds(.init(other: { $0.settingsLoader.refresh(completion) }, ended: completion)) { return }
        settingsLoader.refresh(completion)
    }
}
