import Synchronization
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Turns") struct TurnsTests {
    private final class Running: Sendable {
        let count = Atomic(0)
    }

    @Test("One piece of work runs at a time") func order() async {
        let turns = Turns()
        let running = Running()
        var first: Turns.Turn? = await turns.take()
        #expect(first != nil)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await turns.run {
                        #expect(running.count.add(1, ordering: .relaxed).newValue == 1)
                        await Task.yield()
                        running.count.subtract(1, ordering: .relaxed)
                    }
                }
            }
            first = nil
        }
    }

    @Test("A turn ends with its object, also when a cancelled task had waited for it") func cancelled() async {
        let turns = Turns()
        var first: Turns.Turn? = await turns.take()
        #expect(first != nil)
        let waiting = Task { _ = await turns.take() }
        waiting.cancel()
        first = nil
        await waiting.value
        await turns.run {}
    }
}
