import Foundation
import Testing

@testable import WorkspaceCore

@Suite("Hours, days and weeks of a time zone") struct IntervalsTests {
    private func days(_ first: String, _ last: String) throws -> ClosedRange<Day> {
        try #require(Day(first))...#require(Day(last))
    }

    private func time(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1_000)
    }

    @Test("Without a zone, days are those of UTC, and a time outside of them has no interval")
    func utc() throws {
        let intervals = try Intervals(.day, of: days("2026-11-20", "2026-11-22"), in: nil)
        #expect(intervals.labels == ["2026-11-20", "2026-11-21", "2026-11-22"])
        #expect(try intervals.index(of: time("2026-11-19T23:59:59Z")) == nil)
        #expect(try intervals.index(of: time("2026-11-20T00:00:00Z")) == 0)
        #expect(try intervals.index(of: time("2026-11-21T23:59:59Z")) == 1)
        #expect(try intervals.index(of: time("2026-11-22T00:00:00Z")) == 2)
        #expect(try intervals.index(of: time("2026-11-23T00:00:00Z")) == nil)
        #expect(intervals.index(of: .max) == nil && intervals.index(of: .min) == nil)
        let one = try days("2026-11-20", "2026-11-20")
        #expect(try Intervals(.hour, of: one, in: nil).labels.last == "2026-11-20T23:00Z")
        #expect(try Intervals(.day, of: one, in: TimeZone(named: "UTC")) == Intervals(.day, of: one, in: nil))
    }

    @Test("A day on which the clock is changed has 23 or 25 hours, each with its own label")
    func changedClock() throws {
        let zone = try TimeZone(named: "Europe/Berlin")
        let spring = try Intervals(.hour, of: days("2026-03-29", "2026-03-29"), in: zone)
        #expect(spring.count == 23)
        #expect(spring.labels[1...2] == ["2026-03-29T01:00+01:00", "2026-03-29T03:00+02:00"])
        let autumn = try Intervals(.hour, of: days("2026-10-25", "2026-10-25"), in: zone)
        #expect(autumn.count == 25 && Set(autumn.labels).count == 25)
        #expect(autumn.labels[2...3] == ["2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00"])
        let week = try Intervals(.day, of: days("2026-03-28", "2026-03-30"), in: zone)
        #expect(try week.index(of: time("2026-03-28T23:00:00Z")) == 1)
        #expect(try week.index(of: time("2026-03-29T21:59:59Z")) == 1)
        #expect(try week.index(of: time("2026-03-29T22:00:00Z")) == 2)
    }

    @Test("A day begins later when the clock is put forward at midnight, and at any distance from UTC")
    func zones() throws {
        let brazil = try Intervals(
            .hour, of: days("2018-11-04", "2018-11-04"), in: TimeZone(named: "America/Sao_Paulo"))
        #expect(brazil.count == 23)
        #expect(brazil.labels.first == "2018-11-04T01:00-02:00")
        let nepal = try Intervals(.day, of: days("2026-11-20", "2026-11-20"), in: TimeZone(named: "Asia/Kathmandu"))
        #expect(try nepal.times == time("2026-11-19T18:15:00Z")..<time("2026-11-20T18:15:00Z"))
        let line = try TimeZone(named: "Pacific/Kiritimati")
        #expect(try line.day(at: time("2026-11-20T10:00:00Z")) == Day("2026-11-21"))
    }

    @Test("Weeks begin on Monday, and the last one ends with the days")
    func weeks() throws {
        let intervals = try Intervals(.week, of: days("2026-11-19", "2026-11-24"), in: nil)
        #expect(intervals.labels == ["2026-11-16", "2026-11-23"])
        #expect(try intervals.times == time("2026-11-16T00:00:00Z")..<time("2026-11-25T00:00:00Z"))
    }

    @Test("Each time of all intervals is in exactly one of them", arguments: Intervals.Unit.allCases)
    func whole(unit: Intervals.Unit) throws {
        for name in ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tehran"] {
            let intervals = try Intervals(unit, of: days("2021-03-10", "2021-04-08"), in: TimeZone(named: name))
            var last = 0
            for time in stride(from: intervals.times.lowerBound, to: intervals.times.upperBound, by: 600_000) {
                let index = try #require(intervals.index(of: time))
                #expect(index == last || index == last + 1)
                last = index
            }
            #expect(last == intervals.count - 1, "\(name)")
        }
    }

    @Test("Too many hours and unknown zones are refused")
    func refusals() throws {
        #expect(throws: Refusal.self) { try Intervals(.hour, of: days("2026-01-01", "2026-02-28"), in: nil) }
        for name in ["", "Mars", "../../etc/passwd", String(repeating: "A", count: 10_000), "Europe/Berlin\0"] {
            #expect(throws: Refusal.self) { try TimeZone(named: name) }
        }
    }
}
