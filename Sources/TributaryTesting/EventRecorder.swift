import Tributary

/// The events that a plugin saw, readable from any thread.
final class EventRecorder: Sendable {
    private let seen = LockBox<[any RawEvent]>([])

    var events: [any RawEvent] { seen.withLock { $0 } }

    func add(_ event: any RawEvent) { seen.withLock { $0.append(event) } }

    func forget() { seen.withLock { $0 = [] } }
}

/// Records each event in order, after everything that may change or drop it. It is a destination, because `after`
/// plugins wait for destinations and so see events in no fixed order.
final class RecordingPlugin: Plugin {
    let type = PluginType.destination
    let name = "TributaryTesting"
    weak var analytics: Analytics?
    private let recorder: EventRecorder

    init(_ recorder: EventRecorder) { self.recorder = recorder }

    func execute<Event: RawEvent>(event: Event?) -> Event? {
        if let event { recorder.add(event) }
        return event
    }
}
