import Testing

@testable import Tributary

@Suite("The waiters of a destination's work")
struct DestinationWaitersTests {
    private var waiters = DestinationWaiters()

    /// A waiter for one piece of work, and whether its wait is over.
    private final class Wait {
        let countdown = Countdown()
        private(set) var isOver = false

        init() { countdown.whenOver { [unowned self] in isOver = true } }
    }

    private func makeWaits(_ count: Int) -> [Wait] { (0..<count).map { _ in Wait() } }

    @Test("A waiter is released when its own work has ended")
    mutating func order() {
        let waits = makeWaits(2)
        for wait in waits {
            waiters.add(wait.countdown, isStuck: false)
            wait.countdown.release()
        }
        waiters.end()?.release()
        #expect(waits.map(\.isOver) == [true, false])
        waiters.end()?.release()
        #expect(waits.map(\.isOver) == [true, true])
        #expect(waiters.isEmpty)
    }

    @Test("A stuck destination releases all waiters once, and later work has none until the destination returns")
    mutating func stuck() {
        let waits = makeWaits(3)
        for wait in waits.prefix(2) { waiters.add(wait.countdown, isStuck: false) }
        let released = waiters.giveUp().count
        #expect(released == 2)
        waiters.add(waits[2].countdown, isStuck: true)
        let releasedAgain = waiters.giveUp()
        #expect(releasedAgain.isEmpty)
        let ended = (0..<3).map { _ in waiters.end() }
        #expect(ended.allSatisfy { $0 == nil })
        let next = Wait()
        waiters.add(next.countdown, isStuck: false)
        let last = waiters.end()
        #expect(last === next.countdown)
    }

    @Test("Dropped work returns its waiters, and vital calls keep their place")
    mutating func dropped() {
        let waits = makeWaits(3)
        for wait in waits { waiters.add(wait.countdown, isStuck: false) }
        let dropped = waiters.drop(last: 2, keeping: 1)
        #expect(dropped.map(ObjectIdentifier.init) == waits.dropFirst().map { ObjectIdentifier($0.countdown) })
        #expect(waiters.count == 2)
        let ended = [waiters.end(), waiters.end()]
        #expect(ended[0] === waits[0].countdown)
        #expect(ended[1] == nil)
        #expect(waiters.isEmpty)
    }

    @Test("Waiters that were released before are not returned when their work is dropped")
    mutating func releasedAndDropped() {
        let wait = Wait()
        waiters.add(wait.countdown, isStuck: false)
        _ = waiters.giveUp()
        let dropped = waiters.drop(last: 1, keeping: 0)
        #expect(dropped.isEmpty)
        let next = Wait()
        waiters.add(next.countdown, isStuck: false)
        let last = waiters.end()
        #expect(last === next.countdown)
    }
}
