extension Analytics {
    /// The number of this client's event queue, which no other live process has in the same `storageFolder`.
    package var queueNumber: UInt64 { eventQueue.number }

    /// A client of another source with the same configuration. It has its own events, identity and files, and shares
    /// neither plugins nor flush policies. When this client uses an app's own store, the sibling works in memory.
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
