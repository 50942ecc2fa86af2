/// How many events of a name came on a day.
package struct NameCount: Sendable, Equatable {
    package let name: CountedName
    package let day: Day
    package let count: Int64
    /// The hours of the first and of the last of them, in hours since 1970.
    package let hours: ClosedRange<Int64>

    package init(name: CountedName, day: Day, count: Int64, hours: ClosedRange<Int64>) {
        (self.name, self.day, self.count, self.hours) = (name, day, count, hours)
    }
}
