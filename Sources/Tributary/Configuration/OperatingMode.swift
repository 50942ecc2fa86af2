/// On whose time events go through plugins and destinations.
public enum OperatingMode: Sendable, Equatable {
    /// On a thread of the client's; calls return once the event is on disk.
    case asynchronous
    /// On the caller's, for command-line tools and tests: when a call returns, its event and everything before it went
    /// through the plugins and the destinations on the device, and waits for the server if it goes there. `flush()` returns
    /// when the server has it, or `Configuration.flushTimeout` is over.
    ///
    /// Before settings are known and plugins are ready, calls return once the event is on disk. An event that a plugin
    /// tracks follows on the one that the plugin sees. Callers wait for one another, for what plugins do, and for work
    /// that the client has begun on a thread of its own; not for a destination that is stuck, nor on the main thread for one
    /// that needs that thread.
    case synchronous
}
