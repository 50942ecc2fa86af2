/// Runs one context through a list of middleware, on the client's executor.
///
/// Each middleware gives one answer: its first call of `next`. When the last reference to `next` is released without a
/// call, the middleware has dropped the context. So a missing answer is always noticed.
///
/// Unchecked because everything happens on the executor. An answer on another thread is passed to it.
final class ChainRun: @unchecked Sendable {
    /// The result of a run.
    enum End {
        case passed(Context)
        /// The middleware with that name dropped the context.
        case dropped(by: String)
    }

    private let middlewares: [any Middleware]
    private let analytics: Analytics
    private let done: (End) -> Void

    /// - Parameter done: called once, on the executor, perhaps before this call returns, perhaps much later.
    static func begin(
        _ middlewares: [any Middleware], _ context: Context, done: @escaping (End) -> Void
    ) {
        ChainRun(middlewares, context._analytics, done).step(0, context)
    }

    private init(_ middlewares: [any Middleware], _ analytics: Analytics, _ done: @escaping (End) -> Void) {
        self.middlewares = middlewares
        self.analytics = analytics
        self.done = done
    }

    private func step(_ index: Int, _ context: Context) {
        guard index < middlewares.count else { return done(.passed(context)) }
        let answer = Answer { [self] next, isFirst in
            guard isFirst else { return complain(index) }
            perform { [self] in
                if let next { step(index + 1, next) } else { done(.dropped(by: name(index))) }
            }
        }
        middlewares[index].context(context) { answer.give($0) }
    }

    private func perform(_ work: @escaping @Sendable () -> Void) {
        if analytics.isOnExecutor { work() } else { analytics.performBetweenEvents(work) }
    }

    private func name(_ index: Int) -> String { String(describing: type(of: middlewares[index])) }

    private func complain(_ index: Int) {
        analytics.report(
            Diagnostic(
                .pluginFault, "middleware \(index + 1) called next a second time, which has no effect",
                plugin: name(index)))
    }

    /// The answer of one middleware.
    private final class Answer: Sendable {
        private let isGiven = LockBox(false)
        private let take: @Sendable (_ next: Context?, _ isFirst: Bool) -> Void

        init(_ take: @escaping @Sendable (_ next: Context?, _ isFirst: Bool) -> Void) { self.take = take }

        deinit { if !isGiven.withLock({ $0 }) { take(nil, true) } }

        func give(_ next: Context?) {
            take(next, !isGiven.exchange(true))
        }
    }
}
