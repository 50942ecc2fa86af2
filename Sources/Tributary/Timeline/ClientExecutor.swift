import Dispatch
import Foundation

/// The one serial queue on which a client processes its events, and the event that is processed there right now.
///
/// Unchecked because `derivedIds` is only touched on the queue; everything else is constant.
final class ClientExecutor: @unchecked Sendable {
    let queue = DispatchQueue(label: "tributary.pipeline", qos: .utility)
    let key = ExecutorKey()
    private let time: any TimeSource
    /// The ids for events that plugins make of the one that is processed. Not a parameter, because a plugin calls
    /// `track` without saying which event it has.
    private var derivedIds: DerivedIds?

    init(time: any TimeSource) {
        self.time = time
        queue.setSpecific(key: ExecutorKey.specific, value: key)
    }

    // MARK: On any thread

    /// Runs work between two events.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs work at once when the caller is on the executor, else between two events.
    func performNow(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { perform(work) }
    }

    /// Runs work between two events, once, that many seconds later.
    @discardableResult
    func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
        time.schedule(after: seconds, on: queue, work)
    }

    /// Seconds that only move forward.
    var uptime: TimeInterval { time.uptime }

    /// Whether the caller runs on this executor.
    var isCurrent: Bool { callersKey?.isExecutor ?? false }

    /// Whether the caller is a plugin or destination of this client, for which the client would wait.
    var isPluginCalling: Bool { callersKey != nil }

    /// An id for an event that the calling plugin makes of the event that it has; nil when the caller is no plugin. A replay
    /// would make the same id again.
    func derivedId() -> String? {
        guard let key = callersKey else { return nil }
        return key.isExecutor ? derivedIds?.next() : key.queue?.derivedId()
    }

    /// Which part of this client the caller runs on; nil when it is another thread.
    private var callersKey: ExecutorKey? {
        guard let found = DispatchQueue.getSpecific(key: ExecutorKey.specific), found.belongs(to: key) else {
            return nil
        }
        return found
    }

    // MARK: On the queue

    /// Does a step of an event. What plugins track meanwhile gets the ids of that event.
    func process<Result>(_ ids: inout DerivedIds, _ step: () -> Result) -> Result {
        let others = derivedIds
        derivedIds = ids
        defer {
            ids = derivedIds ?? ids
            derivedIds = others
        }
        return step()
    }
}
