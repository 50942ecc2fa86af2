/// The threads on which events go through plugins and destinations.
public enum OperatingMode: Sendable, Equatable {
    /// Threads of the client. Calls return when the event is on disk.
    case asynchronous
    /// The caller's thread, for command-line tools and tests. When a call returns, its event and all events before it
    /// have gone through the plugins and the destinations on the device, and wait for the server. `flush()` returns
    /// when the server has them or `Configuration.flushTimeout` is over.
    ///
    /// Before settings are known and plugins are ready, calls return when the event is on disk. When a plugin tracks an
    /// event, the client processes it after the event that the plugin sees. Callers wait for each other, for plugins,
    /// and for work that the client has begun on its own thread. They do not wait for a stuck destination. On the main
    /// thread they do not wait for a destination that needs the main thread.
    case synchronous
}
