extension Diagnostic.Reason {
    /// The reason for a diagnostic when events are not on disk.
    init(_ reason: StorageState.Reason) { self.init(reason.description) }
}
