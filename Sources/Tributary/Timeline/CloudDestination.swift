import TributaryJSON

/// The destination that represents the server: it puts events into the outbox, from where they are uploaded.
///
/// On the wire and in filters it has the name that the field's servers use, `Segment.io`.
///
/// An app finds it with `find(pluginType: SegmentDestination.self)` or `find(key: "Segment.io")`. A plugin that is
/// added to it changes only what the server gets.
///
/// Unchecked because everything except `analytics` is constant and thread-safe by itself, and `analytics` is set once,
/// when the destination is added.
public final class CloudDestination: DestinationPlugin, @unchecked Sendable {
    static let key: String = ServerDestination.key

    public let type = PluginType.destination
    public let name = "CloudDestination"
    public let key: String = CloudDestination.key
    public let timeline = Timeline()
    public weak var analytics: Analytics?

    /// The client's own event queue, for events that a plugin passes to this destination itself.
    private let eventQueue: EventQueue
    /// The context that most events share, with its text.
    private let context: @Sendable () -> RenderedObject?
    private let counterStore: CounterStore
    /// Counts what the outbox took.
    let deliveries: CounterStore.Deliveries
    private let report: @Sendable (Diagnostic) -> Void

    init(
        eventQueue: EventQueue, context: @escaping @Sendable () -> RenderedObject?, counterStore: CounterStore,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.eventQueue = eventQueue
        self.context = context
        self.counterStore = counterStore
        deliveries = counterStore.deliveries(to: Self.key)
        self.report = report
    }

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard let event else { return nil }
        guard let bytes = accepted(event.json, nil, continuing: nil) else { return nil }
        eventQueue.send(bytes, tag: nil)
        return event
    }

    /// Puts an event into the outbox of its event queue. Returns false when the event is too large for servers.
    /// - Parameter metadata: the list of destinations on the device, for the server.
    func take(_ event: JSONObject, _ metadata: RenderedObject?, _ run: EventRun) -> Bool {
        guard let bytes = accepted(event, metadata, continuing: run.written) else { return false }
        run.eventQueue.send(bytes, tag: run.origin)
        return true
    }

    /// The text of an event; nil when it is too large for servers.
    private func accepted(
        _ event: JSONObject, _ metadata: RenderedObject?, continuing written: WrittenObject?
    ) -> [UInt8]? {
        let bytes = encoded(event, metadata, continuing: written)
        guard bytes.count <= Limits.eventBytes else {
            counterStore.count { $0.lost[Diagnostic.Reason.tooLarge.description, default: 0] += 1 }
            let messageId = event["messageId"]?.stringValue ?? "?"
            report(
                Diagnostic(
                    .eventDropped, "event \(messageId) has \(bytes.count) bytes; servers accept \(Limits.eventBytes)",
                    reason: .tooLarge, destination: key))
            return nil
        }
        return bytes
    }

    /// The text of an event. Plugins may nest values deeper than servers accept; those are left out.
    private func encoded(
        _ event: JSONObject, _ metadata: RenderedObject?, continuing written: WrittenObject?
    ) -> [UInt8] {
        let extra = metadata.map { (key: DestinationMetadata.member, value: $0) }
        let context = context()
        let bytes = event.encoded(
            knowing: context, continuing: written, adding: extra, depth: JSONLimits.eventDepth)
        if let bytes { return bytes }
        let (kept, leftOut) = event.leavingOut(deeperThan: JSONLimits.eventDepth)
        report(.tooDeep(leftOut, of: event))
        return kept.encoded(knowing: context, adding: extra) ?? []
    }
}

/// The name of this destination in analytics-swift.
public typealias SegmentDestination = CloudDestination
