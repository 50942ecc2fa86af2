import Foundation
import Synchronization
import Testing

@testable import WorkspaceServer

@Suite("A thread for calls that block", .timeLimit(.minutes(1))) struct BackgroundThreadTests {
    @Test("Calls run one after the other, on one thread that is not the caller's")
    func order() async {
        let thread = BackgroundThread()
        let (numbers, number) = AsyncStream.makeStream(of: Int.self)
        for call in 0..<100 { thread.async { [unowned thread] in if thread.isCurrent { number.yield(call) } } }
        thread.async { number.finish() }
        var found: [Int] = []
        for await one in numbers { found.append(one) }
        #expect(found == Array(0..<100))
        #expect(!thread.isCurrent)
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
            let thread = BackgroundThread()
            let kept = Kept { end.finish() }
            for _ in 0..<10 { thread.async { [kept] in withExtendedLifetime(kept) { _ = end.yield(true) } } }
        }
        var count = 0
        for await _ in ends { count += 1 }
        #expect(count == 10)
    }
}
