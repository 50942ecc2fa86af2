import WorkspaceCore
import WorkspaceServer

/// The numbers that rows of one machine get in a cluster.
///
/// The number on one machine becomes the ordinal. So rows keep their order, the same row gets the same number each
/// time, and every number is far below the numbers that a cluster makes, because those begin with a time.
enum MovedNumber {
    /// - Parameters:
    ///   - sequence: the number on one machine.
    ///   - device: the device of the row, as `RequestScan.devices` splits requests.
    static func of(_ sequence: Int64, source: Int64, device: String, partitions: Int) -> Int64 {
        ClusterNumber.number(
            sequence, of: ClusterRecord.partition(source: source, device: device, of: partitions))
    }

    /// The number on one machine from which a number was made.
    static func sequence(_ number: Int64) -> Int64 { number / Int64(ClusterNumber.partitions) }

    /// The highest number that a row with this sequence, or a lower one, can have.
    static func last(through sequence: Int64) -> Int64 {
        ClusterNumber.number(sequence, of: ClusterNumber.partitions - 1)
    }
}
