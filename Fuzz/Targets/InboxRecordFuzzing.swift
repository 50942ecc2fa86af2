@testable import Tributary

/// A record that is read is written as a record that reads the same.
enum InboxRecordFuzzing {
    static func run(_ bytes: [UInt8]) {
        guard let record = try? InboxRecord(payload: bytes) else { return }
        guard let again = try? InboxRecord(payload: record.encoded) else {
            fatalError("what was written cannot be read")
        }
        require(again.form == record.form && again.trackedAt == record.trackedAt, "it comes out different")
        require(again.encoded == record.encoded, "the event comes out different")
    }
}
