import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The numbers of rows in a cluster") struct ClusterNumberTests {
    private let time: Int64 = 1_800_000_000_000

    private func number(_ time: Int64, row: Int64, of partition: Int) throws -> Int64 {
        ClusterNumber.number(try ClusterNumber.ordinal(ofBlockAt: time) + row, of: partition)
    }

    @Test("Numbers follow the time of storing over all partitions") func order() throws {
        let early = try (0..<64).map { try number(time, row: 63, of: $0) }
        let late = try (0..<64).map { try number(time + 1, row: 0, of: $0) }
        #expect(early.allSatisfy { $0 < ClusterNumber.first(at: time + 1) })
        #expect(late.allSatisfy { $0 >= ClusterNumber.first(at: time + 1) })
        #expect(Set(early + late).count == 128)
        #expect(late.map { $0 & 63 } == (0..<64).map(Int64.init))
    }

    @Test("A large block takes the times behind its own, and the next block begins after it") func largeBlock() throws {
        let rows = ClusterNumber.rowsInBlock
        let next = ClusterNumber.next(after: time, rows: rows)
        #expect(try number(time, row: Int64(rows) - 1, of: 63) < ClusterNumber.first(at: next))
        #expect(try number(time, row: Int64(rows) - 1, of: 0) >= ClusterNumber.first(at: next - 1))
        #expect(ClusterNumber.next(after: time, rows: 1) == time + 1)
    }

    @Test("A number tells when its row was announced") func timeOfNumber() throws {
        #expect(ClusterNumber.time(of: try number(time, row: 63, of: 63)) == time)
        #expect(ClusterNumber.time(of: ClusterNumber.first(at: time)) == time)
    }

    @Test("Numbers stay exact in JavaScript until 2093") func exactness() throws {
        #expect(try number(3_900_000_000_000 - 1, row: 63, of: 63) < 1 << 53)
        #expect(throws: LogError.self) { try ClusterNumber.ordinal(ofBlockAt: 3_950_000_000_000) }
        #expect(throws: LogError.self) { try ClusterNumber.ordinal(ofBlockAt: 0) }
    }
}

@Suite("Records of a cluster's log") struct ClusterRecordTests {
    private let request = AcceptedRequest(
        form: .batch, isCompressed: true, source: 7, receivedAt: 5, uploadedAt: 3, body: [1, 2, 3])

    @Test("A record is read as it was written") func roundTrip() throws {
        let record = try ClusterRecord(ClusterRecord.of(request, rows: 70_000))
        #expect(record.request == request)
        #expect(record.rows == 70_000)
    }

    @Test("A record of a newer version is refused, so that it waits for a newer node") func newerVersion() {
        let newer = [4] + ClusterRecord.of(request, rows: 1).dropFirst()
        #expect(throws: LogError.newer("a record of the log")) { try ClusterRecord(newer) }
        let records = [ClusterRecord.of(request, rows: 1), newer, newer].enumerated().map {
            LogRecord(place: UInt64($0) + 1, bytes: $1)
        }
        // It is never announced, so a newer node finds it in front.
        #expect(throws: Never.self) {
            let taken = try ClusterRecord.prefix(of: records, rows: 100)
            #expect(taken == (1, 1))
        }
        #expect(throws: LogError.newer("the record 2 of the log")) {
            try ClusterRecord.prefix(of: Array(records.dropFirst()), rows: 100)
        }
    }

    @Test("A record that is none makes one row", arguments: [[], [0], [1], [1, 9, 0, 0, 0], [1, 9, 0, 0, 0, 7]])
    func unreadable(_ bytes: [UInt8]) throws {
        let record = try ClusterRecord(bytes)
        #expect(record.request == nil)
        #expect(record.rows == 1)
    }

    @Test("A block takes the records that fit, and always one") func prefix() throws {
        let records = (1...4).map { LogRecord(place: $0, bytes: ClusterRecord.of(request, rows: 40)) }
        #expect(try ClusterRecord.prefix(of: records, rows: 100) == (2, 80))
        #expect(try ClusterRecord.prefix(of: records, rows: 10) == (1, 40))
        #expect(try ClusterRecord.prefix(of: records, rows: 1_000) == (4, 160))
        #expect(try ClusterRecord.prefix(of: [LogRecord(place: 9, bytes: [])], rows: 10) == (9, 1))
        #expect(try ClusterRecord.prefix(of: [], rows: 10) == (nil, 0))
    }
}
