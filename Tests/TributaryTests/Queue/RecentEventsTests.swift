import Dispatch
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Recent events in memory")
struct RecentEventsTests {
    private func put(_ sequences: UInt64..., into recentEvents: RecentEvents) {
        for sequence in sequences {
            let event = InboxRecord(form: .event, trackedAt: Int64(sequence), event: ["n": .string("\(sequence)")])
            recentEvents.put(event, at: sequence)
        }
    }

    private func taken(_ recentEvents: RecentEvents, after sequence: UInt64, bytes: Int = .max, count: Int = .max)
        -> [UInt64]
    {
        let records = recentEvents.take(after: sequence, maxBytes: bytes, maxCount: count)
        for record in records {
            #expect(record.parsed?.trackedAt == Int64(record.sequence))
            #expect(record.payload == record.parsed?.encoded)
        }
        return records.map(\.sequence)
    }

    @Test("No recent event is kept before the first read")
    func closed() {
        let recentEvents = RecentEvents(capacity: 8, bytes: 1000)
        put(1, 2, into: recentEvents)
        #expect(taken(recentEvents, after: 0) == [])
    }

    @Test("Recent events come in order, once, and only without a gap")
    func order() {
        let recentEvents = RecentEvents(capacity: 8, bytes: 1000)
        recentEvents.passed(0)
        put(1, 2, 3, 5, 6, into: recentEvents)
        #expect(taken(recentEvents, after: 0) == [1, 2, 3])
        #expect(taken(recentEvents, after: 0) == [])
        #expect(taken(recentEvents, after: 3) == [])
        #expect(taken(recentEvents, after: 4) == [5, 6])
    }

    @Test("A read of recent events takes at most the number that it asks for, and at least one event")
    func limits() {
        let recentEvents = RecentEvents(capacity: 8, bytes: 1000)
        recentEvents.passed(0)
        put(1, 2, 3, 4, into: recentEvents)
        #expect(taken(recentEvents, after: 0, count: 1) == [1])
        #expect(taken(recentEvents, after: 1, bytes: 45) == [2, 3])
        #expect(taken(recentEvents, after: 3, bytes: 0) == [4])
    }

    @Test("A full window of recent events takes no more, and takes events again when it was emptied")
    func full() {
        let recentEvents = RecentEvents(capacity: 4, bytes: 1000)
        recentEvents.passed(0)
        put(1, 2, 3, 4, 5, 6, into: recentEvents)
        #expect(taken(recentEvents, after: 0) == [1, 2, 3, 4])
        put(7, into: recentEvents)
        #expect(taken(recentEvents, after: 6) == [])
        recentEvents.passed(7)
        put(8, 9, into: recentEvents)
        #expect(taken(recentEvents, after: 7) == [8, 9])
    }

    @Test("The window of recent events is bounded by bytes too")
    func bytes() {
        let recentEvents = RecentEvents(capacity: 100, bytes: 45)
        recentEvents.passed(0)
        put(1, 2, 3, into: recentEvents)
        #expect(taken(recentEvents, after: 0) == [1, 2])
        recentEvents.passed(3)
        put(4, 5, into: recentEvents)
        #expect(taken(recentEvents, after: 3) == [4, 5])
    }

    @Test("Events that were read from the log are not given a second time")
    func passed() {
        let recentEvents = RecentEvents(capacity: 4, bytes: 1000)
        recentEvents.passed(0)
        put(2, 3, 4, into: recentEvents)
        recentEvents.passed(3)
        #expect(taken(recentEvents, after: 1) == [])
        #expect(taken(recentEvents, after: 3) == [4])
        put(5, 6, 7, 8, into: recentEvents)
        #expect(taken(recentEvents, after: 4) == [5, 6, 7, 8])
    }

    @Test("The window of recent events moves on when the log was read far beyond it")
    func jump() {
        let recentEvents = RecentEvents(capacity: 4, bytes: 1000)
        recentEvents.passed(0)
        put(1, 2, into: recentEvents)
        recentEvents.passed(1000)
        put(1001, 1002, into: recentEvents)
        #expect(taken(recentEvents, after: 1000) == [1001, 1002])
    }

    @Test("An event that comes after its reader has passed is not given")
    func late() {
        let recentEvents = RecentEvents(capacity: 4, bytes: 1000)
        recentEvents.passed(10)
        put(10, 11, 12, 13, into: recentEvents)
        #expect(taken(recentEvents, after: 10) == [11, 12, 13])
    }

    @Test("Events of four threads are given once and in order while they are read, and leave no room taken")
    func threads() {
        let (threads, count) = (4, 5000)
        let recentEvents = RecentEvents(capacity: 64, bytes: 2000)
        let next = LockBox<UInt64>(0)
        let written = LockBox<Set<UInt64>>([])
        let reading = LockBox([UInt64]())
        DispatchQueue.concurrentPerform(iterations: threads + 1) { thread in
            guard thread == threads else {
                for _ in 0..<count {
                    next.withLock { last in
                        last += 1
                        _ = written.withLock { $0.insert(last) }
                        put(last, into: recentEvents)
                    }
                }
                return
            }
            var position: UInt64 = 0
            while position < UInt64(threads * count) {
                recentEvents.passed(position)
                let found = taken(recentEvents, after: position, count: 16)
                reading.withLock { $0 += found }
                position = found.last ?? position
                // The reader takes what is not here from the log.
                if found.isEmpty, written.withLock({ $0.contains(position + 1) }) { position += 1 }
            }
        }
        let read = reading.current
        #expect(zip(read, read.dropFirst()).allSatisfy { $0 < $1 })
        let end = UInt64(threads * count)
        recentEvents.passed(end)
        // As many fit as the bound allows, so no event of before counts any more.
        let sizes = (1...40).map { (number: UInt64) in
            let event = InboxRecord(form: .event, trackedAt: 1, event: ["n": .string("\(end + number)")])
            recentEvents.put(event, at: end + number)
            return event.encoded.count
        }
        let fitting = sizes.indices.prefix { sizes[...$0].reduce(0, +) <= 2000 }
        #expect(recentEvents.take(after: end, maxBytes: .max, maxCount: .max).count == fitting.count)
    }
}
