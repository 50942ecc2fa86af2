extension Diagnostic.Reason {
    /// Why events are not on disk.
    init(_ reason: StorageState.Reason) { self.init(reason.description) }
}
