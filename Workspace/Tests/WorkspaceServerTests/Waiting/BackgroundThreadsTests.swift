import Foundation
import Synchronization
import Testing

@testable import WorkspaceServer

@Suite("Threads for calls that block", .timeLimit(.minutes(30))) struct BackgroundThreadsTests {
    @Test("The calls of one thread run one after the other, and not on that of the caller", arguments: [100, 5_000])
    func order(count: Int) async {
        let thread = BackgroundThreads(count: 1)
        let (numbers, number) = AsyncStream.makeStream(of: Int.self)
        for call in 0..<count { thread.async { [unowned thread] in if thread.areCurrent { number.yield(call) } } }
        thread.async { number.finish() }
        var found: [Int] = []
        for await one in numbers { found.append(one) }
        #expect(found == Array(0..<count))
        #expect(!thread.areCurrent)
    }

    @Test("Waiting calls run when the thread is no longer in use, and then it ends")
    func ended() async {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        final class Kept: Sendable {
            let gone: @Sendable () -> Void
            init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
            deinit { gone() }
        }
        do {
            let thread = BackgroundThreads(count: 1)
            let kept = Kept { end.finish() }
            for _ in 0..<10 { thread.async { [kept] in withExtendedLifetime(kept) { _ = end.yield(true) } } }
        }
        var count = 0
        for await _ in ends { count += 1 }
        #expect(count == 10)
    }

    @Test("A call that blocks holds up no call of another thread")
    func several() async {
        let threads = BackgroundThreads(count: 2)
        let gate = DispatchSemaphore(value: 0)
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        threads.async {
            gate.wait()
            end.yield(1)
            end.finish()
        }
        threads.async { end.yield(2) }
        threads.async { gate.signal() }
        var found: [Int] = []
        for await one in ends { found.append(one) }
        #expect(found == [2, 1])
    }
}
