extension Analytics {
    /// Tells this client's files from those of other processes that share `storageFolder`.
    package var queueNumber: UInt64 { eventQueue.number }

    /// A client of another source that is set up like this one. Events, identity and files are its own; plugins and
    /// flush policies are not shared, and where this one uses a store of the app's, it works in memory.
    package func sibling(writeKey: String) -> Analytics {
        let configuration = Configuration(writeKey: writeKey)
        configuration.values = values
        configuration.values.writeKey = writeKey
        configuration.values.flushPolicies = nil
        configuration.values.migration = .off
        if case .custom = values.storageMode { configuration.values.storageMode = .memory(Limits.memoryEvents) }
        return Analytics(configuration, isShared: false)
    }
}
