import Dispatch

/// Says which part of a client runs on a queue: its executor, or one of its destinations.
///
/// Asked when an event is tracked, because one that is made while another is processed gets an id that follows from it.
///
/// Unchecked because `replacement` is only touched on the queue, `queue` is set before anything runs there, and the rest is
/// constant.
final class ExecutorKey: @unchecked Sendable {
    static let specific = DispatchSpecificKey<ExecutorKey>()

    /// That of the client's executor; nil on the executor itself.
    private let executor: ExecutorKey?
    /// Nil on the executor.
    weak var queue: DestinationQueue?
    /// An event of another type that the plugin which is called right now has returned.
    private var replacement: (any RawEvent)?

    /// - Parameter executor: that of the client's executor when the queue is a destination's.
    init(beside executor: ExecutorKey? = nil) { self.executor = executor }

    var isExecutor: Bool { executor == nil }

    /// Whether it is of the client with that executor.
    func belongs(to executor: ExecutorKey) -> Bool { (self.executor ?? self) === executor }

    /// What a plugin returned in the untyped form, as an event of the type that it was given.
    ///
    /// An event of another type cannot be returned as that: it is put down for whoever called the plugin, who goes on with it.
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

    /// What a plugin made of an event.
    enum Answer<Event: RawEvent> {
        /// The event, changed or not.
        case same(Event)
        /// An event of another type.
        case other(any RawEvent)
    }
}
