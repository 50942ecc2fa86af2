import Testing
import TributaryJournal

@testable import Tributary

@Suite("A log whose disk may refuse records")
struct FailoverStateTests {
    private let disk = SimulatedDisk(seed: 0)

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
        for route in ["disk", "memory", "returning", "exchange"] {
            #expect(visited.contains { $0.hasPrefix(route) }, "\(route)")
        }
        #expect(dropped > 0)
    }

    @Test("A record goes to memory only after the disk has refused one")
    func firstRefusal() {
        var state = FailoverState(disk: disk, capacity: 2)
        let first = state.append([1], nil, snapshot: nil)
        #expect(first.write?.sequence == 1)
        disk.isRefusing = true
        let later = [[2], [3], [4]].map { state.append($0, nil, snapshot: nil) }
        #expect(later.map { $0.refusal?.isFirst } == [true, nil, nil], "the disk is not asked again")
        #expect(later.map(\.dropped) == [0, 0, 1], "the oldest goes when memory is full")
        #expect(state.memory.first > 1)
    }

    @Test("A snapshot that the disk refuses comes to the disk before the records in memory")
    func snapshot() {
        var state = FailoverState(disk: disk, capacity: 2)
        disk.isRefusing = true
        _ = state.append([9], nil, snapshot: [1])
        _ = state.append(nil, nil, snapshot: [2])
        #expect(state.snapshot == [2])
        disk.isRefusing = false
        while state.moveOne() == .moved {}
        #expect(disk.snapshot == [2] && disk.records.map(\.payload) == [[9]])
    }

    @Test("A disk's refusal is reported once, and so is the return to the disk")
    func news() {
        var state = FailoverState(disk: disk, capacity: 4)
        disk.isRefusing = true
        _ = state.append([1], nil, snapshot: nil)
        let again = state.moveOne()
        let late = state.refused(SimulatedDisk.Refused())
        #expect(again == .failed && !late.isFirst)
        disk.isRefusing = false
        while state.moveOne() == .moved {}
        let recoveries = (0..<2).map { _ in state.recovered() }
        #expect(recoveries == [true, false])
    }
}
