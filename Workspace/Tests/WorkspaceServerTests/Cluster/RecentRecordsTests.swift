import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Records that were read last") struct RecentRecordsTests {
    private let read = (5...9).map { LogRecord(place: $0, bytes: [UInt8($0)]) }

    @Test("The first of them are given once") func once() {
        let recent = RecentRecords()
        recent.keep(read)
        #expect(recent.take(5...7) == Array(read.prefix(3)))
        #expect(recent.take(5...7).isEmpty)
    }

    @Test("Nothing is given when one is missing", arguments: [4...7, 6...7, 5...10] as [ClosedRange<UInt64>])
    func missing(range: ClosedRange<UInt64>) {
        let recent = RecentRecords()
        recent.keep(read)
        #expect(recent.take(range).isEmpty)
    }
}
