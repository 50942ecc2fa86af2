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
    private let toThread = DispatchSemaphore(value: 0)
    private let toCaller = DispatchSemaphore(value: 0)

    /// - Parameter release: work of the thread before it ends, however late that is.
    init(release: @escaping () -> Void) {
        let release = Unchecked(release)
        let thread = Thread { [self] in
            _ = serve()
            release.value()
        }
        thread.name = "tributary.script"
        // The engine's own limit of recursion is made for this size. The default of some systems is half of it.
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Runs a job on the thread and waits for it.
    /// - Parameter seconds: the longest wait. Then the caller abandons the thread.
    /// - Returns: false when the thread was abandoned. It must not be used any more.
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
            // A script that keeps calling Swift functions would otherwise never reach the end of a wait.
            if DispatchTime.now() >= deadline, abandon() { return false }
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

    /// A year. A longer budget would overflow the clock.
    private static let longest = 31_536_000.0
}

/// Passes a value to a thread in a way that the compiler cannot check.
///
/// Unchecked because only that thread touches the value from then on.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
