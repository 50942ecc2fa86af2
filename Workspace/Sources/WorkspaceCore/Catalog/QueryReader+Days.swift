/// Reads the days of a question about counts.
extension QueryReader {
    /// Whole days in UTC: the last thirty, unless the query says which.
    package func wholeDays(now: Int64) throws(Refusal) -> ClosedRange<Day> {
        let last = Day(milliseconds: try time("until").map { max($0, Int64.min + 1) - 1 } ?? now)
        let before = last.advanced(by: 1 - Limits.catalogDays)
        let first = Day(milliseconds: try time("since") ?? before.start)
        guard first <= last else { throw .invalid("since must be before until") }
        guard last.number - first.number < Limits.catalogMostDays else {
            throw .invalid("at most \(Limits.catalogMostDays) days are added up")
        }
        return first...last
    }
}
