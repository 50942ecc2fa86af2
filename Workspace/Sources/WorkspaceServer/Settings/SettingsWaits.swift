import NIOCore
import ServiceLifecycle
import Synchronization
import WorkspaceCore

/// Lets requests for settings wait until the settings of their source change. May be used from any thread.
package final class SettingsWaits: Sendable {
    /// Why a wait ended.
    enum Ending: Sendable {
        /// The source has changed, or may have.
        case changed
        /// Its time is over, or the server ends.
        case over
        /// Too many requests wait.
        case full
    }

    private typealias Continuation = CheckedContinuation<Ending, Never>

    private struct State {
        var held: HeldRequests<Continuation>
        /// Requests that are answered with the next portions.
        var changed: [Continuation] = []
        /// How often any source has changed.
        var changes = 0
        var isClosed = false
    }

    /// For how long the server holds a request, in seconds; 0 for not at all.
    let seconds: Int
    private let state: Mutex<State>

    init(seconds: Int, limit: Int) {
        self.seconds = seconds
        state = Mutex(State(held: HeldRequests(limit: limit)))
    }

    /// The requests that wait now.
    var count: Int { state.withLock { $0.held.count } }

    /// How often any source has changed. Read it before the source that a request then waits for.
    var changes: Int { state.withLock { $0.changes } }

    /// Waits until the source changes, or until that time.
    /// - Parameter changes: what `changes` was before the source was read. With a change since then, it does not wait.
    func wait(for source: Int64, after changes: Int, until deadline: Int64) async -> Ending {
        let id = Mutex<Int?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ending = state.withLock { state -> Ending? in
                    guard !state.isClosed, !Task.isCancelled, deadline > Self.now else { return .over }
                    guard state.changes == changes else { return .changed }
                    guard let number = state.held.add(continuation, source: source, until: deadline) else {
                        return .full
                    }
                    id.withLock { $0 = number }
                    return nil
                }
                if let ending { continuation.resume(returning: ending) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                id.withLock { $0 }.flatMap { state.held.remove($0, source: source) }
            }
            waiter?.resume(returning: .over)
        }
    }

    /// Answers the requests of a source, in portions: the clients then fetch bundles and report, and other requests must not
    /// wait for them.
    func noteChange(of source: Int64) {
        let isNew = state.withLock { state in
            state.changes += 1
            defer { state.changed += state.held.take(ofSource: source) }
            return state.changed.isEmpty
        }
        guard isNew, answerPortion() else { return }
        Task {
            repeat { try? await Task.sleep(for: Limits.settingsPortionPause) } while answerPortion()
        }
    }

    /// - Returns: whether more are left.
    private func answerPortion() -> Bool {
        resume(.changed) { state in
            defer { state.changed.removeFirst(min(Limits.settingsPortion, state.changed.count)) }
            return Array(state.changed.prefix(Limits.settingsPortion))
        }
        return state.withLock { !$0.changed.isEmpty }
    }

    /// Answers the requests of which the time is over.
    func endOverdue(at now: Int64) { resume(.over) { $0.held.take(overdueAt: now) } }

    /// Answers all requests, and holds none from now on.
    func close() {
        resume(.over) { state in
            state.isClosed = true
            defer { state.changed = [] }
            return state.changed + state.held.takeAll()
        }
    }

    private func resume(_ ending: Ending, _ take: (inout sending State) -> [Continuation]) {
        for waiter in state.withLock({ take(&$0) }) { waiter.resume(returning: ending) }
    }

    /// Nanoseconds of a clock that is never set.
    static var now: Int64 { Int64(bitPattern: NIODeadline.now().uptimeNanoseconds) }
}

/// Ends held requests for settings when their time is over: one look each second costs less than a timer for each request.
struct SettingsWaitService: Service {
    let waits: SettingsWaits

    func run() async throws {
        guard waits.seconds > 0 else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Limits.settingsWaitLook)
                waits.endOverdue(at: SettingsWaits.now)
            }
        }
        waits.close()
    }
}

extension Limits {
    /// How long clients may hold a request for settings, in seconds. Some proxies end a request after 50 seconds.
    package static let settingsPushSeconds = 45
    package static let settingsPush = 5...60
    /// Requests that are held at once; fewer where half of the connections are fewer.
    static let heldSettings = 10_000
    /// How many held requests are answered at once when the settings change, and the time until the next ones are: 500 a second.
    static let settingsPortion = 50
    static let settingsPortionPause = Duration.milliseconds(100)
    /// The time between two looks for held requests of which the time is over.
    static let settingsWaitLook = Duration.seconds(1)
}
