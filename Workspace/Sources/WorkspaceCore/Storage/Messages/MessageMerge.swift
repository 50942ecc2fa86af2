/// Which files of messages are made one: pure, so that every stand of the files can be tried.
///
/// A day that grows has few files, because eight of about one size are merged; so an entry is written again only when its
/// file has grown to eight times the size. A day that has ended becomes one file, unless little was added to a large one.
package enum MessageMerge {
    package struct File: Sendable, Equatable {
        package let number: Int64
        package let day: Day
        package let count: Int

        package init(number: Int64, day: Day, count: Int) { (self.number, self.day, self.count) = (number, day, count) }
    }

    static let filesOfOneSize = 8
    private static let filesOfEndedDay = 4

    /// The files of one day to be merged next; empty when there is nothing to do.
    package static func next(_ files: [File]) -> [File] {
        guard let newest = files.map(\.day).max() else { return [] }
        for (day, files) in Dictionary(grouping: files, by: \.day).sorted(by: { $0.key < $1.key }) {
            let chosen = day == newest ? ofGrowingDay(files) : ofEndedDay(files)
            if chosen.count > 1 { return chosen }
        }
        return []
    }

    private static func ofGrowingDay(_ files: [File]) -> [File] {
        let levels = Dictionary(grouping: files) { level($0.count) }
        return levels.sorted { $0.key < $1.key }.first { $0.value.count >= filesOfOneSize }?.value ?? []
    }

    private static func ofEndedDay(_ files: [File]) -> [File] {
        let sorted = files.sorted { $0.count < $1.count }
        guard let largest = sorted.last else { return [] }
        let others = sorted.dropLast()
        if others.reduce(0, { $0 + $1.count }) * filesOfEndedDay >= largest.count { return sorted }
        return others.count >= filesOfEndedDay ? Array(others) : []
    }

    /// Files of one level differ by less than eight times.
    private static func level(_ count: Int) -> Int { (Int.bitWidth - max(count, 1).leadingZeroBitCount) / 3 }
}
