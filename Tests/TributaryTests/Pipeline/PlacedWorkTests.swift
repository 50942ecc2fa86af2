import Testing

@testable import Tributary

@Suite("Work with a place between two events")
struct PlacedWorkTests {
    private let done = LockBox<[String]>([])

    private func at(_ sequence: UInt64) -> UInt64 { sequence }
    private func note(_ text: String) -> PlacedWork.Action { { [done] in done.withLock { $0.append(text) } } }
    private func run(_ actions: [PlacedWork.Action]) -> [String] {
        for action in actions { action() }
        return done.exchange([])
    }

    @Test("A change of state is made when its place is reached, and not before")
    func place() throws {
        var work = PlacedWork()
        _ = work.add(change: note("A"), at: at(3))
        #expect(work.nextChange(at: at(2)) == nil)
        let change = work.nextChange(at: at(3))
        #expect(run([try #require(change)]) == ["A"])
        #expect(work.nextChange(at: at(9)) == nil)
    }

    @Test("While collection is switched off, barriers that have an answer for it give that, and the others wait")
    func switchedOff() {
        var work = PlacedWork()
        work.add(barrier: note("waits"), at: at(1))
        work.add(barrier: note("flushed"), at: at(2), whenSwitchedOff: note("is off"))
        #expect(run(work.takeSwitchedOff()) == ["is off"])
        #expect(run(work.takeSwitchedOff()) == [])
        #expect(run(work.takeBarriers(at: at(9))) == ["waits"])
    }

    @Test("The next place is that of the next change or of the first barrier, whichever comes first")
    func next() {
        var work = PlacedWork()
        #expect(work.next == nil)
        work.add(barrier: note("B"), at: at(5))
        work.add(barrier: note("C"), at: at(4))
        #expect(work.next == at(4))
        _ = work.add(change: note("A"), at: at(3))
        _ = work.add(change: note("D"), at: at(6))
        #expect(work.next == at(3))
        _ = work.nextChange(at: at(3))
        #expect(work.next == at(4))
        _ = work.takeBarriers(at: at(5))
        #expect(work.next == at(6))
    }

    @Test("Changes of state are made in the order of their calls, also when the earlier one has the later place")
    func order() throws {
        var work = PlacedWork()
        _ = work.add(change: note("A"), at: at(5))
        _ = work.add(change: note("B"), at: at(4))
        #expect(work.nextChange(at: at(4)) == nil)
        let (first, second) = (work.nextChange(at: at(5)), work.nextChange(at: at(5)))
        #expect(run([try #require(first), try #require(second)]) == ["A", "B"])
    }

    @Test("A change that is made before its place makes the changes before it, and later changes wait")
    func number() throws {
        var work = PlacedWork()
        _ = work.add(change: note("A"), at: at(5))
        let second = work.add(change: note("B"), at: at(6))
        _ = work.add(change: note("C"), at: at(7))
        var made: [PlacedWork.Action] = []
        while let next = work.nextChange(through: second) { made.append(next) }
        #expect(run(made) == ["A", "B"])
        #expect(work.nextChange(through: second) == nil)
        let third = work.nextChange(at: at(7))
        #expect(run([try #require(third)]) == ["C"])
    }

    @Test("A barrier ends when the events before it have been processed, and later barriers go on waiting")
    func barriers() {
        var work = PlacedWork()
        #expect(work.takeBarriers(at: at(9)).isEmpty)
        work.add(barrier: note("late"), at: at(4))
        work.add(barrier: note("early"), at: at(2))
        #expect(work.takeBarriers(at: at(1)).isEmpty)
        #expect(run(work.takeBarriers(at: at(3))) == ["early"])
        #expect(run(work.takeBarriers(at: at(4))) == ["late"])
        #expect(work.takeBarriers(at: at(5)).isEmpty)
    }

    @Test("All barriers end once at the end")
    func end() {
        var work = PlacedWork()
        work.add(barrier: note("A"), at: at(4))
        work.add(barrier: note("B"), at: at(2))
        #expect(run(work.takeAllBarriers()) == ["A", "B"])
        #expect(work.takeAllBarriers().isEmpty)
    }
}
