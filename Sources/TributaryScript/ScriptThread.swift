import Dispatch
import Foundation

/// A thread that scripts run on where nothing can stop them: when one does not end, the caller gives the thread up and
/// goes on.
///
/// The caller waits for each job, so that there is never more than one at work, and does for the script what only the
/// caller may do: a call of a Swift function travels back to the waiting caller. A thread that was given up has nobody
/// to ask any more, so whatever it still does, it can do nothing outside of its engine.
///
/// Unchecked because caller and thread take turns, handed over by semaphores; what lies between them is
/// only touched under the lock.
final class ScriptThread: @unchecked Sendable {
    /// What the caller wants of the thread.
    private enum Order {
        case job(() -> Void)
        case answered
        case end
    }

    /// What the thread wants of the caller.
    private enum News {
        case done
        /// The script calls a Swift function.
        case request(() -> Void)
    }

    private let lock = NSLock()
    private var order: Order?
    private var news: News?
    private var isAbandoned = false
    private let toThread = DispatchSemaphore(value: 0)
    private let toCaller = DispatchSemaphore(value: 0)

    /// - Parameter release: what the thread does before it ends, however late that is.
    init(release: @escaping () -> Void) {
        let release = Unchecked(release)
        let thread = Thread { [self] in
            _ = serve()
            release.value()
        }
        thread.name = "tributary.script"
        // What the engine's own limit of recursion is made for; the default of some systems is half of it.
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Runs a job on the thread and waits for it.
    /// - Parameter seconds: after which the thread is given up.
    /// - Returns: false when it was given up; nothing may be run on it any more.
    func run(seconds: Double, _ job: @escaping () -> Void) -> Bool {
        guard give(.job(job)) else { return false }
        let deadline = DispatchTime.now() + min(seconds, Self.longest)
        while true {
            // News may come between the end of the wait and the lock.
            if toCaller.wait(timeout: deadline) == .timedOut {
                if abandon() { return false }
                toCaller.wait()
            }
            guard case .request(let request) = takeNews() else { return true }
            // A script that never stops asking would never make the caller wait in vain.
            if DispatchTime.now() >= deadline, abandon() { return false }
            request()
            guard give(.answered) else { return false }
        }
    }

    /// Called by a script's job: lets the caller do something and waits for it. False when the caller is gone.
    func askCaller(_ request: @escaping () -> Void) -> Bool {
        guard tell(.request(request)) else { return false }
        return serve()
    }

    /// Whether nobody waits for the thread any more.
    var isGivenUp: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isAbandoned
    }

    /// Lets the thread end.
    func end() { _ = give(.end) }

    /// Does what the caller wants until there is an answer, which is true, or the end, which is false.
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

    // MARK: The two places where messages lie

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

    /// False when there are news after all. What the thread has not begun, it never does.
    private func abandon() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard news == nil else { return false }
        isAbandoned = true
        order = nil
        // It may wait for the answer to a request that was taken already, and is to end then.
        toThread.signal()
        return true
    }

    /// A year: longer budgets would not fit the clock.
    private static let longest = 31_536_000.0
}

/// Carries what the compiler cannot follow onto a thread.
///
/// Unchecked because only that thread touches the value from then on.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
