import HTTPTypes
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Work that runs one at a time", .timeLimit(.minutes(30))) struct SingleRunTests {
    /// Work that reports its start, and ends when the test ends it.
    private struct Held: Sendable {
        private let start = AsyncStream.makeStream(of: Void.self)
        private let end = AsyncStream.makeStream(of: Void.self)

        func run() async {
            start.continuation.finish()
            for await _ in end.stream {}
        }

        func hasStarted() async { for await _ in start.stream {} }
        func finish() { end.continuation.finish() }
    }

    @Test("A second caller is refused while the first runs and no place to wait exists")
    func refused() async throws {
        let turn = SingleRun("dry run")
        let held = Held()
        async let first: Void = turn.take { await held.run() }
        await held.hasStarted()
        let error = await #expect(throws: Refusal.self) { try await turn.take {} }
        #expect(error?.message == "another dry run is at work")
        #expect(error?.status.code == 429)
        held.finish()
        try await first
        #expect(try await turn.take { 3 } == 3)
    }

    @Test("Callers with a place to wait run in their order, also after a failed caller")
    func waiting() async throws {
        let turn = SingleRun("trial", places: 2)
        let held = Held()
        let order = AsyncStream.makeStream(of: Int.self)
        async let first: Void = turn.take { await held.run() }
        await held.hasStarted()
        let second = Task {
            try await turn.take {
                order.continuation.yield(2)
                throw CancellationError()
            }
        }
        while await turn.waitingCount < 1 { await Task.yield() }
        let third = Task { try await turn.take { _ = order.continuation.yield(3) } }
        while await turn.waitingCount < 2 { await Task.yield() }
        await #expect(throws: Refusal.self) { try await turn.take {} }
        held.finish()
        try await first
        await #expect(throws: CancellationError.self) { try await second.value }
        try await third.value
        order.continuation.finish()
        var seen: [Int] = []
        for await number in order.stream { seen.append(number) }
        #expect(seen == [2, 3])
        #expect(try await turn.take { 4 } == 4)
    }

    @Test("Tokens that may not administer leave a place in line, and an administrator is next")
    func roles() async throws {
        let turn = SingleRun("dry run", places: 4)
        let deploy = SharedSlots.Holder(token: "d", role: .deploy)
        let held = Held()
        let order = AsyncStream.makeStream(of: String.self)
        async let first: Void = turn.take(for: deploy) { await held.run() }
        await held.hasStarted()
        let second = Task { try await turn.take(for: deploy) { _ = order.continuation.yield("deploy") } }
        while await turn.waitingCount < 1 { await Task.yield() }
        let error = await #expect(throws: Refusal.self) { try await turn.take(for: deploy) {} }
        #expect(
            error?.message
                == "the token d has 1 requests that wait for a dry run now, which is the most for one token; try again later"
        )
        let third = Task { try await turn.take { _ = order.continuation.yield("administer") } }
        while await turn.waitingCount < 2 { await Task.yield() }
        held.finish()
        try await first
        try await second.value
        try await third.value
        order.continuation.finish()
        var seen: [String] = []
        for await name in order.stream { seen.append(name) }
        #expect(seen == ["administer", "deploy"])
    }
}
