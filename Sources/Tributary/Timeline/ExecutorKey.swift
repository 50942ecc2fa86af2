import Dispatch

/// The key by which a dispatch queue knows which part of a client runs on it: the executor, or one destination.
///
/// A call that tracks an event reads the key. When a plugin makes the call, the new event's id is derived from the
/// event that the plugin has.
///
/// Unchecked because `replacement` is only touched on the queue, `queue` is set before anything runs there, and the
/// rest is constant.
final class ExecutorKey: @unchecked Sendable {
    static let specific = DispatchSpecificKey<ExecutorKey>()

    /// The key of the client's executor; nil when this is that key.
    private let executor: ExecutorKey?
    /// The destination's queue; nil for the executor.
    weak var queue: DestinationQueue?
    /// The event of another type that the called plugin has returned.
    @exclusivity(unchecked) private var replacement: OtherEvent?

    /// - Parameter executor: the key of the client's executor; nil makes that key.
    init(beside executor: ExecutorKey? = nil) { self.executor = executor }

    var isExecutor: Bool { executor == nil }

    /// Whether this key belongs to the client with that executor.
    func belongs(to executor: ExecutorKey) -> Bool { (self.executor ?? self) === executor }

    /// The untyped result of a plugin, as an event of the type that the plugin got.
    ///
    /// An event of another type cannot be returned here. It is stored in the key of the queue, where `call` finds it.
    static func typed<Event: RawEvent>(_ result: any RawEvent, insteadOf event: Event) -> Event {
        if let result: Event = result.typed() { return result }
        DispatchQueue.getSpecific(key: specific)?.replacement = OtherEvent(result)
        return event
    }

    /// Calls a plugin. On the queue.
    /// - Returns: the event that goes on, which may be of another type; nil when the plugin dropped the event.
    func call<Event: RawEvent>(_ plugin: any Plugin, _ event: Event) -> Answer<Event>? {
        // The type is given because the compiler would otherwise choose the untyped form, which is the last of several.
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
        case other(OtherEvent)
    }

    /// An event with a type that is known at run time only, in an object: copying an answer then costs one reference count.
    final class OtherEvent {
        let event: any RawEvent

        init(_ event: any RawEvent) { self.event = event }
    }
}
