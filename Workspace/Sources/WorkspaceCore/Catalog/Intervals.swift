package import Foundation
import TributaryJSON

/// Hours, days or weeks that follow one another in the calendar of a time zone.
package struct Intervals: Sendable, Equatable {
    package enum Unit: String, Sendable, CaseIterable { case hour, day, week }

    /// How each is called: the first day of a day or a week, and the time at which an hour begins, with its distance from UTC.
    package let labels: [String]
    /// Their time zone; nil is UTC.
    package let zone: TimeZone?
    /// The first milliseconds of the intervals, and after them the end of the last one.
    private let bounds: [Int64]

    package var count: Int { labels.count }
    /// All milliseconds of them.
    package var times: Range<Int64> { bounds[0]..<bounds[bounds.count - 1] }

    /// - Parameters:
    ///   - days: days of the calendar of the zone. Weeks begin on the first of them, or on the Monday before it.
    ///   - zone: nil is UTC.
    /// - Throws: `Refusal` when there would be too many.
    package init(_ unit: Unit, of days: ClosedRange<Day>, in zone: TimeZone?) throws(Refusal) {
        func start(_ day: Day) -> Int64 { day.start(in: zone) }
        self.zone = zone.shownName == TimeZone?.none.shownName ? nil : zone
        switch unit {
        case .day, .week:
            let step: Int64 = unit == .week ? 7 : 1
            let first = unit == .week ? days.lowerBound.monday : days.lowerBound
            let starts = stride(from: first.number, through: days.upperBound.number, by: Int(step)).map {
                Day(number: $0)
            }
            labels = starts.map(\.description)
            bounds = starts.map(start) + [start(days.upperBound.advanced(by: 1))]
        case .hour:
            let all = start(days.lowerBound)..<start(days.upperBound.advanced(by: 1))
            guard (all.upperBound - all.lowerBound) / Self.hour <= Limits.breakdownHours else {
                throw .invalid(
                    "these days have more than \(Limits.breakdownHours) hours; ask for fewer days, or by day")
            }
            let starts = Array(stride(from: all.lowerBound, to: all.upperBound, by: Int(Self.hour)))
            labels = starts.map { Self.label(ofHour: $0, in: zone) }
            bounds = starts + [all.upperBound]
        }
    }

    private static let hour: Int64 = 3_600_000

    /// `2026-11-21T10:00Z`, or `2026-11-21T11:00+01:00`: an hour that a clock shows twice has two labels.
    private static func label(ofHour start: Int64, in zone: TimeZone?) -> String {
        let minutes = Int64(zone?.seconds(at: start) ?? 0) / 60
        let time = ISO8601.string(milliseconds: start + minutes * 60_000).prefix("2026-11-21T10:00".count)
        guard zone != nil else { return "\(time)Z" }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(time)\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
    }

    /// The interval of a time; nil for one outside all of them.
    package func index(of time: Int64) -> Int? {
        guard times.contains(time) else { return nil }
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if bounds[middle] <= time { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
