import Testing
import TributaryJSON

@testable import Tributary

@Suite("What the pipeline gets without reading it back")
struct HandOverTests {
    private func put(_ sequences: UInt64..., into handOver: HandOver, bytes: Int = 10) {
        for sequence in sequences {
            let event = InboxRecord(form: .event, trackedAt: Int64(sequence), event: ["n": .string("\(sequence)")])
            handOver.put(event, Array(repeating: UInt8(truncatingIfNeeded: sequence), count: bytes), at: sequence)
        }
    }

    private func taken(_ handOver: HandOver, after sequence: UInt64, bytes: Int = .max, count: Int = .max) -> [UInt64] {
        let records = handOver.take(after: sequence, maxBytes: bytes, maxCount: count)
        for record in records {
            #expect(record.handedOver?.trackedAt == Int64(record.sequence))
            #expect(record.payload.first == UInt8(truncatingIfNeeded: record.sequence))
        }
        return records.map(\.sequence)
    }

    @Test("nothing is kept before somebody reads")
    func closed() {
        let handOver = HandOver(capacity: 8, bytes: 1000)
        put(1, 2, into: handOver)
        #expect(taken(handOver, after: 0) == [])
    }

    @Test("events come in order, once, and only without a gap")
    func order() {
        let handOver = HandOver(capacity: 8, bytes: 1000)
        handOver.passed(0)
        put(1, 3, 2, 5, into: handOver)
        #expect(taken(handOver, after: 0) == [1, 2, 3])
        #expect(taken(handOver, after: 0) == [])
        #expect(taken(handOver, after: 3) == [])
        put(4, into: handOver)
        #expect(taken(handOver, after: 3) == [4, 5])
    }

    @Test("a turn takes as much as it asks for, but always something")
    func limits() {
        let handOver = HandOver(capacity: 8, bytes: 1000)
        handOver.passed(0)
        put(1, 2, 3, 4, into: handOver)
        #expect(taken(handOver, after: 0, count: 1) == [1])
        #expect(taken(handOver, after: 1, bytes: 25) == [2, 3])
        #expect(taken(handOver, after: 3, bytes: 0) == [4])
    }

    @Test("a full window closes, and opens again when it was emptied")
    func full() {
        let handOver = HandOver(capacity: 4, bytes: 1000)
        handOver.passed(0)
        put(1, 2, 3, 4, 5, 6, into: handOver)
        #expect(taken(handOver, after: 0) == [1, 2, 3, 4])
        put(7, into: handOver)
        #expect(taken(handOver, after: 6) == [])
        handOver.passed(7)
        put(8, 9, into: handOver)
        #expect(taken(handOver, after: 7) == [8, 9])
    }

    @Test("bytes bound it too")
    func bytes() {
        let handOver = HandOver(capacity: 100, bytes: 25)
        handOver.passed(0)
        put(1, 2, 3, into: handOver)
        #expect(taken(handOver, after: 0) == [1, 2])
        handOver.passed(3)
        put(4, 5, into: handOver)
        #expect(taken(handOver, after: 3) == [4, 5])
    }

    @Test("what was read from the log is not given a second time")
    func passed() {
        let handOver = HandOver(capacity: 4, bytes: 1000)
        handOver.passed(0)
        put(2, 3, 4, into: handOver)
        handOver.passed(3)
        #expect(taken(handOver, after: 1) == [])
        #expect(taken(handOver, after: 3) == [4])
        put(3, into: handOver)  // late: its thread was interrupted between the log and here
        #expect(taken(handOver, after: 2) == [])
        put(5, 6, 7, 8, into: handOver)
        #expect(taken(handOver, after: 4) == [5, 6, 7, 8])
    }

    @Test("events far behind the window of a log that was read elsewhere do not get in the way")
    func jump() {
        let handOver = HandOver(capacity: 4, bytes: 1000)
        handOver.passed(0)
        put(1, 2, into: handOver)
        handOver.passed(1000)
        put(1001, 1002, into: handOver)
        #expect(taken(handOver, after: 1000) == [1001, 1002])
    }

    @Test("an event that comes after its reader has passed is not kept, and holds no place")
    func late() {
        let handOver = HandOver(capacity: 4, bytes: 1000)
        handOver.passed(10)
        put(5, 11, 12, 13, 14, into: handOver)
        #expect(taken(handOver, after: 10) == [11, 12, 13, 14])
    }
}
