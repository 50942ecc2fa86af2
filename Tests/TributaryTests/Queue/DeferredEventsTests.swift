import Testing
import TributaryJSON

@testable import Tributary

@Suite("Events that wait for a decision")
struct DeferredEventsTests {
    private func record(_ tracked: UInt64, _ form: InboxRecord.Form = .deferred) -> InboxRecord {
        InboxRecord(form: form, trackedAt: 7, event: ["n": .string("\(tracked)")], tracked: tracked)
    }

    /// The events, where an expectation may change them.
    private final class Place {
        private var events: DeferredEvents
        init(opened: UInt64, processedBefore: UInt64) {
            events = DeferredEvents(
                opened: opened, processedBefore: processedBefore)
        }
        var isEmpty: Bool { events.isEmpty }
        func add(_ record: InboxRecord, isRepetition: Bool = false) -> DeferredEvents.Attempt {
            events.add(record, tracked: record.tracked, isRepetition: isRepetition)
        }
        func met(_ record: InboxRecord, at sequence: UInt64) {
            events.met(record, tracked: record.tracked, at: sequence)
        }
        func metDecision(_ tracked: UInt64, at sequence: UInt64) -> Bool { events.metDecision(tracked, at: sequence) }
        func close(_ tracked: UInt64) -> DeferredEvents.Claim { events.close(tracked) }
        func left(at sequence: UInt64) -> [UInt64] {
            events.takeLeft(at: sequence).map(\.tracked)
        }
        func limit(_ sequence: UInt64) -> UInt64 { events.limit(sequence) }
        func carried(_ sequence: UInt64) -> [UInt64] {
            events.takeCarried(sequence).map(\.tracked)
        }
        func purge(_ sequence: UInt64) -> Bool { events.purge(through: sequence) }
    }

    @Test(
        "Records of pending decisions name their event and can be read",
        arguments: [.deferred, .decided] as [InboxRecord.Form])
    func records(form: InboxRecord.Form) throws {
        let record = record(0x0102_0304_0506_0708, form)
        let again = try InboxRecord(payload: record.encoded)
        #expect(again.tracked == 0x0102_0304_0506_0708)
        #expect(again.form == form && again.trackedAt == 7 && again.event == record.event)
        #expect(Array(record.encoded[9..<17]) == [8, 7, 6, 5, 4, 3, 2, 1])
        for count in 0...17 {
            #expect(throws: JSONError.self) { try InboxRecord(payload: Array(record.encoded[..<count])) }
        }
    }

    @Test("Middleware is asked about undecided events of an earlier process after all its records were read")
    func left() {
        let events = Place(opened: 10, processedBefore: 5)
        events.met(record(3), at: 7)
        #expect(events.left(at: 9).isEmpty)
        #expect(events.left(at: 10) == [3])
        #expect(events.left(at: 11).isEmpty)
        #expect(events.close(3) == .event)
        #expect(events.close(3) == .nothing)
    }

    @Test("A decision of an earlier process holds, and middleware is not asked again")
    func decided() {
        let events = Place(opened: 10, processedBefore: 5)
        events.met(record(3), at: 7)
        #expect(events.metDecision(3, at: 8))
        #expect(events.left(at: 10).isEmpty)
        #expect(events.isEmpty)
    }

    @Test("Decisions of an earlier process do not count for an event of this process")
    func writtenAgain() {
        let events = Place(opened: 10, processedBefore: 2)
        events.met(record(3), at: 7)
        #expect(events.isEmpty)
        #expect(!events.metDecision(3, at: 8))
        // This process wrote the record.
        #expect(events.metDecision(3, at: 11))
    }

    @Test("A repeated event goes to devices only, unless its decision is still open")
    func repetition() {
        let events = Place(opened: 10, processedBefore: 5)
        _ = events.add(record(3), isRepetition: true)
        _ = events.add(record(4), isRepetition: true)
        events.met(record(4), at: 7)
        #expect(events.close(3) == .repetition)
        #expect(events.close(4) == .event)
    }

    @Test("Records before an undecided event are removed, and its own record after it was written again")
    func places() {
        let events = Place(opened: 0, processedBefore: 0)
        for tracked in [1, 2] as [UInt64] { _ = events.add(record(tracked)) }
        #expect(events.limit(5) == 5)
        events.met(record(1), at: 6)
        events.met(record(2), at: 7)
        #expect(events.limit(5) == 5)
        #expect(events.limit(7) == 5)
        // The event would be written twice.
        #expect(events.carried(7).isEmpty)
        #expect(events.carried(8) == [1, 2])
        #expect(events.limit(8) == 8)
        #expect(events.purge(1))
        #expect(!events.purge(1))
        #expect(events.close(1) == .nothing && events.close(2) == .event)
    }

    @Test("The number of undecided events is bounded, and the bound is reported once")
    func bound() {
        let events = Place(opened: 0, processedBefore: 0)
        func add(_ tracked: Int) -> DeferredEvents.Attempt {
            events.add(record(UInt64(tracked)))
        }
        for tracked in 1...Limits.deferredEvents { #expect(add(tracked) == .kept) }
        #expect(add(5000) == .refused(isNews: true))
        #expect(add(5001) == .refused(isNews: false))
        for tracked in 1...Limits.deferredEvents { _ = events.close(UInt64(tracked)) }
        #expect(add(5002) == .kept)
    }
}
