import WorkspaceCore

/// Gathers events that are to be sent at the same time, and hands them over together.
///
/// While as many deliveries are under way as the destination takes, further events wait; the next delivery takes all of
/// them that fit. So no event waits for others to come, and a destination that falls behind gets larger batches.
actor BatchingConnection: DestinationConnection {
    /// Hands over some events and returns the result of each, in their order. A cancelled task ends early.
    typealias Deliver = @Sendable ([ForwardedEvent]) async -> [ForwardingAnswer]

    private struct Entry {
        let id: Int
        let event: ForwardedEvent
        let continuation: CheckedContinuation<ForwardingAnswer, Never>
    }

    private struct Delivery {
        let entries: [Entry]
        let task: Task<Void, Never>
    }

    nonisolated let parallelRequests: Int
    private let mostEvents: Int
    private let mostDeliveries: Int
    private let deliver: Deliver
    private let accompanying: @Sendable () async -> Void
    private var waiting: [Entry] = []
    private var deliveries: [Int: Delivery] = [:]
    private var lastId = 0

    /// - Parameters:
    ///   - events: the most events of one delivery.
    ///   - deliveries: the most deliveries at a time.
    ///   - accompanying: what runs beside the deliveries, until it is cancelled.
    init(
        events: Int, deliveries: Int, accompanying: @escaping @Sendable () async -> Void = {},
        deliver: @escaping Deliver
    ) {
        (mostEvents, mostDeliveries, self.deliver, self.accompanying) = (events, deliveries, deliver, accompanying)
        parallelRequests = min(events * deliveries, Limits.eventsUnderWay)
    }

    /// Events that wait for the next delivery.
    var waitingCount: Int { waiting.count }

    func send(_ event: ForwardedEvent) async -> ForwardingAnswer {
        lastId += 1
        let id = lastId
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.append(Entry(id: id, event: event, continuation: continuation))
                begin()
            }
        } onCancel: {
            Task { await leave(id) }
        }
    }

    func accompany() async { await accompanying() }

    private func begin() {
        while deliveries.count < mostDeliveries, !waiting.isEmpty {
            let entries = nextBatch()
            waiting.removeFirst(entries.count)
            lastId += 1
            let id = lastId
            let events = entries.map(\.event)
            let task = Task(executorPreference: ForwardingExecutor.shared) { [self] in
                await end(id, deliver(events))
            }
            deliveries[id] = Delivery(entries: entries, task: task)
        }
    }

    private func nextBatch() -> [Entry] {
        var bytes = 0
        let fitting = waiting.prefix(mostEvents).prefix { entry in
            bytes += entry.event.body.count
            return bytes <= Limits.batchBytes
        }
        return fitting.isEmpty ? Array(waiting.prefix(1)) : Array(fitting)
    }

    private func end(_ id: Int, _ answers: [ForwardingAnswer]) {
        guard let delivery = deliveries.removeValue(forKey: id) else { return }
        for (index, entry) in delivery.entries.enumerated() {
            let missing = ForwardingAnswer.failed("the result of the event is not known")
            entry.continuation.resume(returning: index < answers.count ? answers[index] : missing)
        }
        begin()
    }

    /// The caller no longer waits for an event. Its delivery ends, because all events are left at once: when the
    /// destination changes, or the server stops.
    private func leave(_ id: Int) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index).continuation.resume(returning: Self.cancelled)
        } else {
            deliveries.values.first { $0.entries.contains { $0.id == id } }?.task.cancel()
        }
    }

    private static let cancelled = ForwardingAnswer.failed("the server stops")
}
