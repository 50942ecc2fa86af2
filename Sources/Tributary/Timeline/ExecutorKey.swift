import Dispatch

/// The value by which a dispatch queue knows which part of a client runs on it: the executor, or one destination.
///
/// A call that tracks an event reads it: an event that a plugin makes gets an id that is derived from the event that the
/// plugin has just been given.
///
/// Unchecked because `replacement` is only touched on the queue, `queue` is set before anything runs there, and the rest is
/// constant.
final class ExecutorKey: @unchecked Sendable {
    static let specific = DispatchSpecificKey<ExecutorKey>()

    /// The key of the client's executor; nil when this is that key.
    private let executor: ExecutorKey?
    /// The destination's queue; nil for the executor.
    weak var queue: DestinationQueue?
    /// The event of another type that the plugin returned that is called now.
    private var replacement: (any RawEvent)?

    /// - Parameter executor: the key of the client's executor; nil makes that key.
    init(beside executor: ExecutorKey? = nil) { self.executor = executor }

    var isExecutor: Bool { executor == nil }

    /// Whether this key belongs to the client with that executor.
    func belongs(to executor: ExecutorKey) -> Bool { (self.executor ?? self) === executor }

    /// The untyped result of a plugin, as an event of the type that it was given.
    ///
    /// An event of another type cannot be returned here. It is stored in the key of the queue, and `call` goes on with it.
    static func typed<Event: RawEvent>(_ result: any RawEvent, insteadOf event: Event) -> Event {
        if let result = result as? Event { return result }
        DispatchQueue.getSpecific(key: specific)?.replacement = result
        return event
    }

    /// Calls a plugin. On the queue.
    /// - Returns: the event to go on with, which may be of another type; nil when the plugin dropped it.
    func call<Event: RawEvent>(_ plugin: any Plugin, _ event: Event) -> Answer<Event>? {
        // With its type: the untyped form, which is only the last of several, would be preferred without it.
        let result: Event? = plugin.execute(event: Optional(event))
        guard let other = replacement else { return result.map { .same($0) } }
        replacement = nil
        return result == nil ? nil : .other(other)
    }

    /// The result of a plugin.
    enum Answer<Event: RawEvent> {
        /// The event, changed or not.
        case same(Event)
        /// An event of another type.
        case other(any RawEvent)
    }
}
