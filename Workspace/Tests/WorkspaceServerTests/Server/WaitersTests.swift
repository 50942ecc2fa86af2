import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Waiting until an actor has come as far as a mark", .timeLimit(.minutes(30))) struct WaitersTests {
    private actor Counter {
        private let waiters = Waiters<Int>()
        private var count = 0

        func advance() {
            count += 1
            waiters.resume { $0 <= count }
        }

        func reach(_ mark: Int, within duration: Duration) async -> Bool {
            if count < mark { await waiters.wait(for: mark, within: duration) }
            return count >= mark
        }
    }

    @Test("A wait ends with its time, however short that is") func time() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    for _ in 0..<200 { #expect(await !counter.reach(1, within: .nanoseconds(1))) }
                }
            }
        }
    }

    @Test("A wait ends when its task is cancelled, also before it began") func cancelled() async {
        let counter = Counter()
        let waiting = Task { await counter.reach(1, within: .seconds(86_400)) }
        waiting.cancel()
        #expect(await !waiting.value)
        let later = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await counter.reach(1, within: .seconds(86_400))
        }
        #expect(await !later.value)
    }

    @Test("Each wait ends when its mark is reached, and no earlier") func marks() async {
        let counter = Counter()
        async let first = counter.reach(1, within: .seconds(86_400))
        async let third = counter.reach(3, within: .seconds(86_400))
        for _ in 0..<3 { await counter.advance() }
        #expect(await first)
        #expect(await third)
    }
}
