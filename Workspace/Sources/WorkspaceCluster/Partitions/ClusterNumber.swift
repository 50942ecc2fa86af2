import WorkspaceCore
import WorkspaceServer

/// The numbers of rows in a cluster.
///
/// A number consists of the time at which the row's range was announced, the row's place in its block, and the
/// partition. A block that is made again has the same numbers, without a counter that nodes would have to share. Within
/// a partition numbers follow the log. Over all partitions they follow the time of storing, so lists and cursors work
/// as on one machine. A number fits 53 bits, which every reader of JSON can hold, until the year 2093.
enum ClusterNumber {
    /// The most partitions that a number can distinguish.
    static let partitions = 64
    /// Rows that a partition has in a millisecond. A larger block takes the milliseconds that follow.
    static let rowsInMillisecond: Int64 = 64
    /// The most rows of a block. A single record may have more, up to the largest request.
    static let rowsInBlock = 8_192

    /// 2024-01-01, in milliseconds since 1970.
    private static let beginning: Int64 = 1_704_067_200_000
    private static let end: Int64 = beginning + 1 << 41

    /// The lowest number of all rows that were announced at a time or later, in any partition.
    /// - Parameter time: milliseconds since 1970.
    static func first(at time: Int64) -> Int64 { ordinal(at: time) << 6 }

    /// The time at which a row was announced, or a little later for a row of a large block; milliseconds since 1970.
    static func time(of number: Int64) -> Int64 { beginning + number >> 12 }

    /// The ordinal of the first row of a block.
    /// - Throws: `LogError.broken` for a time that no number can have.
    static func ordinal(ofBlockAt time: Int64) throws(LogError) -> Int64 {
        guard (beginning..<end).contains(time) else {
            throw .broken("the time \(time) is beyond what row numbers can hold: is the clock of a node wrong?")
        }
        return ordinal(at: time)
    }

    /// The number of a row.
    /// - Parameter ordinal: the beginning of the block and the row's place in it, added.
    static func number(_ ordinal: Int64, of partition: Int) -> Int64 { ordinal << 6 | Int64(partition) }

    /// The first time after a block that the numbers of its rows do not use.
    static func next(after time: Int64, rows: Int) -> Int64 {
        time + (Int64(rows) + rowsInMillisecond - 1) / rowsInMillisecond
    }

    private static func ordinal(at time: Int64) -> Int64 { max(0, time - beginning) << 6 }
}
