import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Requests that wait for scripts") struct ScriptLanesTests {
    private func job(_ sequence: UInt64, of source: Int64 = 1) -> ScriptJob {
        ScriptJob(
            sequence: sequence, batch: StoredEvents.batch(["m-\(sequence)"], source: source), scripts: nil)
    }

    @Test("The journal is done up to the oldest request that waits, and the others behind it count as stored")
    func place() {
        var lanes = ScriptLanes()
        #expect(lanes.take(job(3)) == .begins)
        #expect(lanes.take(job(4)) == .waits)
        #expect(lanes.take(job(6, of: 2)) == .begins)
        #expect(lanes.place(reading: 9) == 2)
        #expect(lanes.backlog(reading: 9) == ScriptBacklog(through: 9, waiting: [1: 3, 2: 6]))
        let jobs = lanes.next(1, events: 1)
        #expect(jobs.map(\.sequence) == [3])
        #expect(lanes.place(reading: 9) == 2)
        lanes.finish(jobs, generation: lanes.generation)
        #expect(lanes.place(reading: 9) == 2)
        #expect(lanes.takeReady().map(\.sequence) == [3])
        #expect(lanes.place(reading: 9) == 3)
        lanes.finish(lanes.next(1, events: 100), generation: lanes.generation)
        lanes.finish(lanes.next(2, events: 100), generation: lanes.generation)
        #expect(lanes.takeReady().map(\.sequence) == [4, 6])
        #expect(lanes.place(reading: 9) == 9)
        #expect(lanes.backlog(reading: 9) == .none)
        #expect(lanes.next(1, events: 1).isEmpty)
        #expect(lanes.take(job(10)) == .begins)
    }

    @Test("A lane without room leaves requests in the journal and takes them again in their order")
    func room() {
        let bytes = StoredEvents.batch(["m-1"]).byteCount
        var lanes = ScriptLanes(bytesOfLane: 2 * bytes)
        #expect(lanes.take(job(1)) == .begins)
        #expect(lanes.take(job(2)) == .waits)
        #expect(lanes.take(job(3)) == .left)
        #expect(lanes.take(job(4)) == .left)
        #expect(lanes.take(job(5, of: 2)) == .begins)
        #expect(lanes.refill.isEmpty)
        #expect(lanes.backlog(reading: 5).waiting == [1: 1, 2: 5])
        lanes.finish(lanes.next(1, events: 10), generation: lanes.generation)
        #expect(lanes.takeReady().map(\.sequence) == [1, 2])
        #expect(lanes.place(reading: 5) == 2)
        #expect(lanes.refill.map(\.from) == [3])
        #expect(lanes.take(job(3), isLeft: true) == .waits)
        // A newer request must not overtake requests that were left in the journal.
        #expect(lanes.take(job(6)) == .left)
        #expect(lanes.take(job(4), isLeft: true) == .waits)
        #expect(lanes.take(job(6), isLeft: true) == .left)
        lanes.refilled(1, next: 6)
        lanes.finish(lanes.next(1, events: 10), generation: lanes.generation)
        _ = lanes.takeReady()
        #expect(lanes.place(reading: 6) == 4)
        #expect(lanes.take(job(6), isLeft: true) == .waits)
        lanes.refilled(1, next: nil)
        #expect(lanes.take(job(7)) == .waits)
    }

    @Test("Results of requests that were forgotten meanwhile are not stored")
    func reset() {
        var lanes = ScriptLanes()
        #expect(lanes.take(job(1)) == .begins)
        let generation = lanes.generation
        let jobs = lanes.next(1, events: 10)
        lanes.reset()
        lanes.finish(jobs, generation: generation)
        #expect(lanes.takeReady().isEmpty)
        #expect(lanes.place(reading: 4) == 4)
        // The task of the lane still runs.
        #expect(lanes.take(job(1)) == .waits)
    }

    @Test("A restart knows what of the requests behind the place is stored")
    func backlog() {
        let backlog = ScriptBacklog(through: 20, waiting: [1: 5, 2: 12])
        #expect(ScriptBacklog(text: backlog.text) == backlog)
        #expect(ScriptBacklog(text: "") == .none)
        #expect(ScriptBacklog(text: "20 nonsense") == .none)
        #expect(ScriptBacklog.none.text.isEmpty)
        #expect(backlog.hasStored(20, of: 3))
        #expect(!backlog.hasStored(21, of: 3))
        #expect(backlog.hasStored(4, of: 1))
        #expect(!backlog.hasStored(5, of: 1))
        #expect(!backlog.hasStored(13, of: 2))
        // After the restart, the journal was read up to 8, and the first source waits again.
        let merged = ScriptBacklog(through: 8, waiting: [1: 7]).merged(with: backlog, reading: 8)
        #expect(merged == ScriptBacklog(through: 20, waiting: [1: 7, 2: 12]))
        #expect(ScriptBacklog.none.merged(with: backlog, reading: 15).waiting == [1: 16, 2: 16])
        #expect(ScriptBacklog.none.merged(with: backlog, reading: 20) == .none)
    }
}
