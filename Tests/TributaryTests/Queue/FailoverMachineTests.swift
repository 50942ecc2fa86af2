import Testing
import TributaryJournal

@testable import Tributary

@Suite("A log whose disk may refuse records")
struct FailoverMachineTests {
    private struct Full: Error {}

    /// 200 seeds of 500 steps.
    @Test("Order, numbering, bounds and snapshots hold whatever the disk does", arguments: 0..<20)
    func simulation(_ ten: Int) {
        var visited: Set<String> = []
        var dropped = 0
        for seed in ten * 10..<(ten + 1) * 10 {
            var simulation = FailoverSimulation(seed: UInt64(seed))
            simulation.run(steps: 500)
            #expect(simulation.breaches.prefix(3) == [], "seed \(seed)")
            visited.formUnion(simulation.visited)
            dropped += simulation.dropped
        }
        // A simulation that never comes into a state shows nothing about it.
        for route in ["disk", "memory", "returning"] {
            #expect(visited.contains { $0.hasPrefix(route) }, "\(route)")
        }
        #expect(visited.contains { $0.contains("memory, under way: true") })
        #expect(dropped > 0)
    }

    @Test("A record goes to memory only after the disk has refused one")
    func firstRefusal() {
        var machine = FailoverMachine(capacity: 2)
        let begun = machine.append([1], nil, snapshot: nil)
        #expect(begun == nil, "it is written to the disk")
        let refusal = machine.refused(Full(), last: 7, [1], nil, snapshot: nil)
        #expect(refusal == .init(isFirst: true, dropped: 0, isIdle: true))
        #expect(machine.route == .memory)
        let dropped = [[2], [3]].map { machine.append($0, nil, snapshot: nil) }
        #expect(dropped == [0, 1], "the oldest goes when memory is full")
        #expect(machine.memory.first > 7)
    }

    @Test("No record returns to the disk while a write is under way")
    func blocked() {
        var machine = FailoverMachine(capacity: 2)
        _ = machine.append([1], nil, snapshot: nil)
        _ = machine.append([2], nil, snapshot: nil)
        _ = machine.refused(Full(), last: 0, [1], nil, snapshot: nil)
        let early = machine.nextStep(last: 0)
        #expect(early == .blocked)
        let isIdle = machine.appended()
        #expect(isIdle)
        let late = machine.nextStep(last: 1)
        #expect(late != .blocked)
    }

    @Test("A snapshot that the disk refuses late does not replace a newer one")
    func lateSnapshot() {
        var machine = FailoverMachine(capacity: 2)
        let begun = machine.append(nil, nil, snapshot: [1])
        #expect(begun == nil, "it is written to the disk")
        _ = machine.append([9], nil, snapshot: nil)
        _ = machine.refused(Full(), last: 0, [9], nil, snapshot: nil)
        _ = machine.append(nil, nil, snapshot: [2])
        _ = machine.refused(Full(), last: 0, nil, nil, snapshot: [1])
        #expect(machine.owedSnapshot == [2])
    }

    @Test("A disk's refusal is reported once, and so is the return to the disk")
    func news() {
        var machine = FailoverMachine(capacity: 4)
        _ = machine.append([1], nil, snapshot: nil)
        _ = machine.append([2], nil, snapshot: nil)
        let refusals = [[1], [2]].map { machine.refused(Full(), last: 0, $0, nil, snapshot: nil).isFirst }
        #expect(refusals == [true, false])
        var last: UInt64 = 0
        while case let step = machine.nextStep(last: last), step != .none {
            if case .reserve(let sequence) = step { last = sequence } else { last += 1 }
            machine.took(step)
        }
        let recoveries = (0..<2).map { _ in machine.recovered() }
        #expect(recoveries == [true, false])
    }
}
