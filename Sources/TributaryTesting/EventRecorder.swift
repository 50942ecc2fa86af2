import Tributary

/// What a plugin saw, readable from any thread.
final class EventRecorder: Sendable {
    private let seen = LockBox<[any RawEvent]>([])

    var events: [any RawEvent] { seen.withLock { $0 } }

    func add(_ event: any RawEvent) { seen.withLock { $0.append(event) } }

    func forget() { seen.withLock { $0 = [] } }
}

/// Notes each event behind everything that may change or drop it, in order. `after` plugins have no order among events:
/// they wait for destinations.
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
