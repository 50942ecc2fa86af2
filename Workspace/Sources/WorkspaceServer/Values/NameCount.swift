/// How many events of a name came on a day.
struct NameCount: Sendable, Equatable {
    let name: CountedName
    let day: Day
    let count: Int64
    /// The hours of the first and of the last of them, in hours since 1970.
    let hours: ClosedRange<Int64>
}
