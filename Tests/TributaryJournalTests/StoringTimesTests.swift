import Testing

@testable import TributaryJournal

@Suite struct StoringTimesTests {
    /// Ages in days of the segments that began on those days; 0 is not known. Day 1000 is the first of them.
    private func ages(_ days: [Double], now: Double) -> [Double] {
        func seconds(_ day: Double) -> Int64 { day == 0 ? 0 : Int64((day + 1000) * 86_400) }
        let times = StoringTimes(days.map(seconds), now: seconds(now), step: 86_400)
        return days.indices.map { Double(times.age(ofSegment: $0)) / 86_400 }
    }

    @Test("The age of a segment counts from the beginning of the next segment")
    func age() {
        #expect(ages([1, 2, 3], now: 3.5) == [1.5, 0.5, 0])
        // A segment takes records for one day only.
        #expect(ages([1, 4, 8], now: 8.5) == [6.5, 3.5, 0])
        #expect(ages([], now: 3) == [])
        #expect(ages([5], now: 5.5) == [0])
    }

    @Test("A segment without a time adds no age")
    func withoutTime() {
        #expect(ages([0, 0, 2, 3], now: 3.5) == [1.5, 1.5, 0.5, 0])
        #expect(ages([0, 0], now: 3) == [0, 0])
        #expect(ages([1, 0, 2], now: 2.5) == [0.5, 0.5, 0])
    }

    @Test("A leap of the clock counts as one step until a second reading confirms it")
    func leap() {
        #expect(ages([1, 2], now: 400) == [1, 0])
        #expect(ages([1, 2, 400], now: 400) == [1, 0, 0])
        #expect(ages([1, 2, 400], now: 400.25) == [398.25, 397.25, 0])
        #expect(ages([1, 2, 400, 401], now: 401) == [399, 398, 0, 0])
    }

    @Test("A clock that was ahead for one reading adds no age")
    func ahead() {
        #expect(ages([1, 2, 400, 3, 4], now: 4.5) == [2.5, 1.5, 1.5, 0.5, 0])
    }

    @Test("A clock that was set back adds no age, and later days count again")
    func setBack() {
        #expect(ages([1, 2], now: -500) == [0, 0])
        #expect(ages([1, 2, -500, -499.5], now: -499) == [1, 1, 0.5, 0])
        // The device started without a battery, the network set its clock right, and days passed from there.
        #expect(ages([1, 2, -500, -499.5, 2.5, 3], now: 4) == [3, 3, 2.5, 1.5, 1, 0])
        // The clock was right again for a long time, so days count as before.
        let long = (0..<40).map { Double($0) - 700 }
        #expect(ages([1, 2] + long, now: -660)[0] == 40)
    }

    @Test("Segments that begin once a week grow old by whole weeks")
    func weeks() {
        #expect(ages([1, 8, 15, 22], now: 22.5) == [20.5, 13.5, 6.5, 0])
    }
}
