/// The middleware of one destination, as a plugin of its timeline.
///
/// Unchecked because everything is constant except `analytics`, which is set once, before the first event.
final class DestinationChain: ExecutorPlugin, @unchecked Sendable {
    let type = PluginType.before
    let name = "DestinationMiddleware"
    weak var analytics: Analytics?
    private let middlewares: [any Middleware]
    private let key: String

    init(_ middlewares: [any Middleware], key: String) {
        self.middlewares = middlewares
        self.key = key
    }

    func execute<Event: RawEvent>(event: Event) -> Event? {
        guard let analytics, let payload = Payload.of(event.json) else { return event }
        var outcome: ChainRun.End?
        var isLate = false
        ChainRun.begin(middlewares, Context(analytics, payload.eventType, payload)) { [self] end in
            if isLate { reportLate(end) } else { outcome = end }
        }
        isLate = true
        guard case .passed(let context) = outcome else { return nil }
        return result(context, event)
    }

    private func result<Event: RawEvent>(_ context: Context, _ event: Event) -> Event? {
        guard let payload = context.payload, payload.wireType != nil else {
            report(
                "middleware returned a context without the payload of an event, so the destination does not get the event"
            )
            return nil
        }
        for problem in payload.problems {
            analytics?.report(Diagnostic(.invalidValue, "middleware: \(problem)", plugin: name, destination: key))
        }
        guard payload.eventType == EventType(wire: event.type) else {
            report("middleware of a destination cannot return another type of event; the event stays as it is")
            return event
        }
        if context.eventType != payload.eventType {
            report("middleware of a destination cannot change the event's type, which stays")
        }
        return Event(json: payload.applied(to: event.json))
    }

    private func reportLate(_ end: ChainRun.End) {
        if case .passed = end { report("next was called late, when the destination had gone on without the event") }
    }

    private func report(_ message: String) {
        analytics?.report(Diagnostic(.pluginFault, message, plugin: name, destination: key))
    }
}
