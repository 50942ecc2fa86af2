import TributaryJSON

/// A day of the calendar, in UTC. The store keeps events by day.
package struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Days since 1970-01-01.
    package let number: Int64

    package static let milliseconds: Int64 = 86_400_000

    package init(number: Int64) { self.number = number }

    /// The day of a time. A time before the year 0 or after 9999 gives the first or the last day of that range.
    package init(milliseconds: Int64) {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: Self.milliseconds)
        let number = remainder < 0 ? quotient - 1 : quotient
        self.init(number: min(max(number, Self.first), Self.last))
    }

    /// Parses the form of `description`; nil for any other text.
    package init?(_ text: some StringProtocol) {
        guard let start = ISO8601.milliseconds("\(text)T00:00:00.000Z") else { return nil }
        self.init(milliseconds: start)
        guard description == text else { return nil }
    }

    /// The first millisecond.
    package var start: Int64 { number * Self.milliseconds }

    /// `2026-11-21`.
    package var description: String { String(ISO8601.string(milliseconds: start).prefix(10)) }

    package static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    package func advanced(by days: Int64) -> Day { Day(number: number + days) }

    /// The Monday of its week. 1970-01-01 was a Thursday.
    package var monday: Day {
        let since = (number + 3) % 7
        return advanced(by: -(since < 0 ? since + 7 : since))
    }

    /// 0000-01-01 and 9999-12-31.
    private static let (first, last): (Int64, Int64) = (-719_528, 2_932_896)
}

extension ClosedRange<Day> {
    /// All milliseconds of these days.
    package var times: Range<Int64> { lowerBound.start..<upperBound.advanced(by: 1).start }
}
