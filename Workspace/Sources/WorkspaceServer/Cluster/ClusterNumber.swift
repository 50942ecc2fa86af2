/// The number of a row in a cluster, made of its place in the log: partition, epoch, place and index in the record.
///
/// So the same record gives the same numbers each time, without a counter that nodes would have to share. Within a partition
/// numbers follow the order of the log.
enum ClusterNumber {
    /// The bounds of the parts. 38 bits are 275 thousand million records of a partition.
    static let partitions = 1 << 6
    static let epochs: UInt64 = 1 << 5
    static let places: UInt64 = 1 << 38
    static let rows = 1 << 14

    /// The number in front of the rows of a record.
    /// - Throws: `LogError.broken` beyond the bounds.
    static func before(partition: Int, epoch: UInt64, place: UInt64) throws(LogError) -> Int64 {
        guard (0..<partitions).contains(partition), epoch < epochs, place < places else {
            throw .broken("partition \(partition), epoch \(epoch), record \(place) is beyond what row numbers can hold")
        }
        return Int64(partition) << 57 | Int64(epoch) << 52 | Int64(place) << 14
    }
}
