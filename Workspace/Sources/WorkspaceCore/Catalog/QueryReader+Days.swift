package import Foundation

/// Reads the days of a question about counts.
extension QueryReader {
    /// The time zone of the days: that of the query, else that of the source; nil is UTC.
    package func zone(of source: Source) throws(Refusal) -> TimeZone? {
        if let name = text("zone") { try TimeZone(named: name) } else { source.policy.timeZone }
    }

    /// Whole days of the calendar: the last thirty, unless the query says which.
    /// - Parameter zone: says which day is today; nil is UTC.
    package func wholeDays(now: Int64, in zone: TimeZone? = nil) throws(Refusal) -> ClosedRange<Day> {
        let today = zone?.day(at: now) ?? Day(milliseconds: now)
        let last = try time("until").map { Day(milliseconds: max($0, Int64.min + 1) - 1) } ?? today
        let before = last.advanced(by: 1 - Limits.catalogDays)
        let first = Day(milliseconds: try time("since") ?? before.start)
        guard first <= last else { throw .invalid("since must be before until") }
        guard last.number - first.number < Limits.catalogMostDays else {
            throw .invalid("at most \(Limits.catalogMostDays) days are added up")
        }
        return first...last
    }
}
