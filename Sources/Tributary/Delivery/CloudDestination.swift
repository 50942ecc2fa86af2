import TributaryJSON

/// The destination that stands for the server: puts events into the outbox, from where they are uploaded.
///
/// On the wire and in filters it has the name that the field's servers give it, `Segment.io`.
///
/// An app finds it with `find(pluginType: SegmentDestination.self)` or `find(key: "Segment.io")`, and adds plugins to it that
/// change only what the server gets.
///
/// Unchecked because confined to the client's executor, except for what plugins' owners are allowed to do from anywhere
/// (the timeline).
public final class CloudDestination: DestinationPlugin, @unchecked Sendable {
    static let key: String = "Segment.io"

    public let type = PluginType.destination
    public let name = "CloudDestination"
    public let key: String = CloudDestination.key
    public let timeline = Timeline()
    public weak var analytics: Analytics?
    /// The lane of the event that is processed right now; set by the pipeline.
    var lane: Lane
    /// Where that event came from; set by the pipeline.
    var origin: RecordOrigin?
    /// That event as it was tracked, with its text, when it came straight from the call; set by the pipeline.
    var written: WrittenObject?

    /// Has the context that most events share, with its text.
    private let context: ContextPlugin
    private let counterStore: CounterStore
    private let report: @Sendable (Diagnostic) -> Void

    init(
        lane: Lane, context: ContextPlugin, counterStore: CounterStore, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.lane = lane
        self.context = context
        self.counterStore = counterStore
        self.report = report
    }

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard let event else { return nil }
        return take(event.json, nil) ? event : nil
    }

    /// Puts an event into the outbox; false when it is more than servers take.
    /// - Parameter metadata: what the server has to know of the destinations on the device.
    func take(_ event: JSONObject, _ metadata: RenderedObject?) -> Bool {
        let bytes = encoded(event, metadata)
        guard bytes.count <= Limits.eventBytes else {
            counterStore.count { $0.lost[Diagnostic.Reason.tooLarge.description, default: 0] += 1 }
            let messageId = event["messageId"]?.stringValue ?? "?"
            report(
                Diagnostic(
                    .eventDropped, "event \(messageId) has \(bytes.count) bytes, servers take \(Limits.eventBytes)",
                    reason: .tooLarge, destination: key))
            return false
        }
        lane.send(bytes, origin: origin)
        return true
    }

    /// Plugins can nest values deeper than servers take, too.
    private func encoded(_ event: JSONObject, _ metadata: RenderedObject?) -> [UInt8] {
        let extra = metadata.map { (key: DestinationMetadata.member, value: $0) }
        let bytes = event.encoded(
            knowing: context.rendered, continuing: written, adding: extra, depth: Limits.eventDepth)
        if let bytes { return bytes }
        let (kept, leftOut) = event.leavingOutMembers(deeperThan: Limits.eventDepth)
        report(.tooDeep(leftOut, of: event))
        return kept.encoded(knowing: context.rendered, adding: extra) ?? []
    }
}

/// The name that analytics-swift gives the destination that stands for the server.
public typealias SegmentDestination = CloudDestination
