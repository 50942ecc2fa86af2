import Foundation
import Testing

@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct ForwardingExecutorTests {
    @Test("Every task runs, also when many come at once and when they wait for one another")
    func all() async {
        let sum = await Task(executorPreference: ForwardingExecutor.shared) {
            await withTaskGroup { group in
                for number in 1...10_000 {
                    group.addTask {
                        await Task.yield()
                        return await Task(executorPreference: ForwardingExecutor.shared) { number }.value
                    }
                }
                return await group.reduce(0, +)
            }
        }.value
        #expect(sum == 50_005_000)
    }

    #if os(Linux)
    @Test("A task of a destination runs on a thread that leaves the processors to others, which stay as they are")
    func priority() async {
        let ordinary = await Self.niceness()
        let forwarding = await Task(executorPreference: ForwardingExecutor.shared) { await Self.niceness() }.value
        #expect(forwarding == min(19, ordinary + 10))
        let after = await Self.niceness()
        #expect(after == ordinary)
    }

    /// That of the thread.
    private static func niceness() async -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    #endif
}
