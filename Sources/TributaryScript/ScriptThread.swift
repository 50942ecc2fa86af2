import Dispatch
import Foundation

/// A thread for scripts, for systems on which nothing can stop them. When a script does not end, the caller abandons
/// the thread and continues.
///
/// The caller waits for each job, so there is never more than one. While it waits, it makes the calls of Swift
/// functions for the script. Nothing answers an abandoned thread, so its script can have no effect outside of its
/// engine.
///
/// Unchecked because caller and thread take turns, with semaphores between them, and shared state is only touched under
/// the lock.
final class ScriptThread: @unchecked Sendable {
    /// An order of the caller for the thread.
    private enum Order {
        case job(() -> Void)
        case answered
        case end
    }

    /// News of the thread for the caller.
    private enum News {
        case done
        /// The script calls a Swift function.
        case request(() -> Void)
    }

    private let lock = NSLock()
    private var order: Order?
    private var news: News?
    private var isAbandoned = false
    /// The thread's processor time; nil until the thread runs.
    private var clock: ThreadClock?
    private let toThread = DispatchSemaphore(value: 0)
    private let toCaller = DispatchSemaphore(value: 0)

    /// - Parameter release: work of the thread before it ends, however late that is.
    init(release: @escaping () -> Void) {
        let release = Unchecked(release)
        let thread = Thread { [self] in
            startClock()
            _ = serve()
            release.value()
        }
        thread.name = "tributary.script"
        // The engine's own limit of recursion is made for this size. The default of some systems is half of it.
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Runs a job on the thread and waits for it.
    /// - Parameter patience: the longest wait. Then the caller abandons the thread.
    /// - Returns: false when the thread was abandoned. It must not be used any more.
    func run(_ patience: Patience, _ job: @escaping () -> Void) -> Bool {
        let (began, worked) = (DispatchTime.now(), processorSeconds)
        guard give(.job(job)) else { return false }
        func isOver() -> Bool {
            let now = DispatchTime.now()
            return now >= began + patience.least
                && (now >= began + patience.most || processorSeconds - worked >= patience.working)
        }
        var deadline = began + patience.least
        while true {
            while toCaller.wait(timeout: deadline) == .timedOut {
                deadline = .now() + Patience.step
                guard isOver() else { continue }
                if abandon() { return false }
                // News came between the end of the wait and the lock.
                toCaller.wait()
                break
            }
            guard case .request(let request) = takeNews() else { return true }
            // A script that keeps calling Swift functions would otherwise never reach the end of a wait.
            if isOver(), abandon() { return false }
            request()
            guard give(.answered) else { return false }
        }
    }

    /// Called by the job of a script: lets the caller do something and waits for it. False when the caller has
    /// abandoned the thread.
    func askCaller(_ request: @escaping () -> Void) -> Bool {
        guard tell(.request(request)) else { return false }
        return serve()
    }

    /// Whether the caller has abandoned the thread.
    var isGivenUp: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isAbandoned
    }

    /// Lets the thread end.
    func end() { _ = give(.end) }

    /// Does the caller's requests until there is an answer (true) or the end (false).
    private func serve() -> Bool {
        while true {
            toThread.wait()
            switch takeOrder() {
            case .job(let job):
                job()
                guard tell(.done) else { return false }
            case .answered: return true
            case .end, nil: return false
            }
        }
    }

    private func startClock() {
        let own = ThreadClock()
        lock.lock()
        defer { lock.unlock() }
        clock = own
    }

    private var processorSeconds: Double {
        lock.lock()
        defer { lock.unlock() }
        return clock?.seconds ?? 0
    }

    // MARK: The two mailboxes

    private func give(_ order: Order) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isAbandoned else { return false }
        self.order = order
        toThread.signal()
        return true
    }

    private func tell(_ news: News) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !isAbandoned else { return false }
        self.news = news
        toCaller.signal()
        return true
    }

    private func takeOrder() -> Order? {
        lock.lock()
        defer { lock.unlock() }
        defer { order = nil }
        return order
    }

    private func takeNews() -> News? {
        lock.lock()
        defer { lock.unlock() }
        defer { news = nil }
        return news
    }

    /// Abandons the thread. False when there are news after all. The thread never begins an order that it has not
    /// begun.
    private func abandon() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard news == nil else { return false }
        isAbandoned = true
        order = nil
        // The thread may wait for the answer to a request that was already taken. It must end then.
        toThread.signal()
        return true
    }
}

extension ScriptThread {
    /// How long a caller waits for a script before it gives the script's thread up.
    ///
    /// A thread that waits for a processor reaches no guard, and a system may hold up an app as a whole. So only processor time
    /// shows that a script does not end.
    struct Patience: Sendable {
        /// Seconds that the caller waits in any case.
        let least: Double
        /// Seconds of processor time after which a script does not end.
        let working: Double
        /// Seconds after which the caller continues, however little processor time the thread had.
        let most: Double

        init(least: Double, working: Double, most: Double) {
            self.least = min(least, Self.longest)
            self.working = working
            self.most = min(most, Self.longest)
        }

        /// - Parameter seconds: the budget of a call.
        init(budget seconds: Double) {
            let least = seconds + TimeLimit.waitingSeconds + Self.untilGuard
            self.init(least: least, working: seconds + Self.untilGuard, most: least + Self.withoutProcessor)
        }

        /// Seconds between two checks of the processor time.
        fileprivate static let step = 0.05
        /// Seconds of processor time in which each script with guards reaches one.
        private static let untilGuard = 0.5
        private static let withoutProcessor = 10.0
        /// A year. A longer budget would overflow the clock.
        private static let longest = 31_536_000.0
    }
}

/// Passes a value to a thread in a way that the compiler cannot check.
///
/// Unchecked because only that thread touches the value from then on.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
