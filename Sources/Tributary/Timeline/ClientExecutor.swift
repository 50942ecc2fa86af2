import Dispatch
import Foundation

/// The serial queue on which a client processes its events, and the ids for the event that is processed now.
///
/// Unchecked because `derivedIds` is only touched on the queue, and everything else is constant.
final class ClientExecutor: @unchecked Sendable {
    let queue = DispatchQueue(label: "tributary.pipeline", qos: .utility)
    let key = ExecutorKey()
    private let time: any TimeSource
    /// The ids for events that plugins make of the present event. This is not a parameter, because a plugin calls
    /// `track` without saying which event it has. Nothing calls back while it changes, so the check for simultaneous access
    /// at run time is switched off.
    @exclusivity(unchecked) private var derivedIds: DerivedIds?

    init(time: any TimeSource) {
        self.time = time
        queue.setSpecific(key: ExecutorKey.specific, value: key)
    }

    // MARK: On any thread

    /// Runs work between two events.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs work at once when the caller is on the executor, otherwise between two events.
    func performNow(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { work() } else { perform(work) }
    }

    /// Runs work between two events once, after that many seconds.
    @discardableResult
    func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) -> any ScheduledWork {
        time.schedule(after: seconds, on: queue, work)
    }

    /// Seconds of a clock that only moves forward.
    var uptime: TimeInterval { time.uptime }

    /// Whether the caller is on this executor.
    var isCurrent: Bool { callersKey?.isExecutor ?? false }

    /// Whether the caller is a plugin or destination of this client. The client must not wait for itself then.
    var isPluginCalling: Bool { callersKey != nil }

    /// An id for an event that the calling plugin makes of the event that it has; nil when the caller is not a plugin.
    /// A replay makes the same id.
    func derivedId() -> String? {
        guard let key = callersKey else { return nil }
        return key.isExecutor ? derivedIds?.next() : key.queue?.derivedId()
    }

    /// The part of this client that the caller runs on; nil on any other thread.
    private var callersKey: ExecutorKey? {
        guard let found = DispatchQueue.getSpecific(key: ExecutorKey.specific), found.belongs(to: key) else {
            return nil
        }
        return found
    }

    // MARK: On the queue

    /// Runs a step of an event. Events that plugins track meanwhile get ids that are derived from it.
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
