import ClusterTestKit
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The log of the tests keeps to the contract of logs of changes") struct MemoryChangeLogContractTests {
    @Test(arguments: ChangeLogContract.Rule.allCases) func keepsTo(_ rule: ChangeLogContract.Rule) async throws {
        try await ChangeLogContract(MemoryChangeLog()).check(rule)
    }
}

@Suite("Parts of changes") struct ChangePartTests {
    private func take(_ parts: [ChangePart]) -> [[UInt8]] {
        var assembly = ChangeAssembly(through: 5)
        defer { #expect(assembly.place == 5 + UInt64(parts.count)) }
        return parts.compactMap { assembly.take($0)?.bytes }
    }

    @Test("A change of any size comes out as it went in", arguments: [1, 9, 10, 11, 25, 30]) func sizes(_ size: Int) {
        let change = (0..<size).map { UInt8($0) }
        let parts = ChangePart.parts(of: change, size: 10)
        #expect(parts.count == (size + 9) / 10)
        #expect(take(parts) == [change])
        #expect(take(parts + parts) == [change, change])
    }

    @Test("Parts of a snapshot and of a change do not make one thing") func kinds() {
        let change = ChangePart.parts(of: Array(0..<20), size: 10)
        let snapshot = ChangePart.parts(of: Array(0..<20), size: 10, kind: .snapshot)
        #expect(take([change[0], snapshot[1]]) == [])
        #expect(take([snapshot[0], change[1]]) == [])
        var assembly = ChangeAssembly(through: 5)
        #expect(assembly.take(change[0]) == nil)
        #expect(assembly.take(snapshot[0]) == nil)
        #expect(assembly.take(snapshot[1]) == .init(kind: .snapshot, first: 7, bytes: Array(0..<20)))
    }

    @Test("A change without its end is none, whatever comes behind it") func broken() {
        let long = ChangePart.parts(of: Array(0..<30), size: 10)
        let other = ChangePart.parts(of: Array(50..<70), size: 10)
        let short = ChangePart.parts(of: [9], size: 10)
        #expect(take(long.dropLast() + short) == [[9]])
        #expect(take(long.dropLast() + long) == [Array(0..<30)])
        #expect(take(long.prefix(1) + other) == [Array(50..<70)])
        #expect(take(long.prefix(1) + [other[1]]) == [])
        #expect(take(Array(long.dropFirst())) == [])
        #expect(take([long[0], long[2], short[0]]) == [[9]])
    }
}

@Suite("The seal of changes") struct ChangeSealTests {
    private let part = ChangePart(index: 1, count: 3, bytes: Array("secret content".utf8))

    private func seal(_ secret: String = SettingsNode.secret) throws -> ChangeSeal { try ChangeSeal(secret: secret) }

    @Test("A part of a snapshot is opened as one") func snapshot() throws {
        let part = ChangePart(kind: .snapshot, index: 0, count: 1, bytes: [7])
        let record = try seal().seal(part, after: 6)
        #expect(try seal().open(LogRecord(place: 7, bytes: record)) == part)
        // Nobody can make a change of it.
        #expect(throws: SettingsDivergence.self) {
            try seal().open(LogRecord(place: 7, bytes: [1] + record.dropFirst()))
        }
    }

    @Test("A part is opened as it was sealed, and the record does not show it") func roundTrip() throws {
        let record = try seal().seal(part, after: 6)
        #expect(try seal().open(LogRecord(place: 7, bytes: record)) == part)
        #expect(!record.contains(Array("secret".utf8)))
        #expect(try seal().seal(part, after: 6) != record)
    }

    @Test("A record at another place is refused") func otherPlace() throws {
        let record = try seal().seal(part, after: 6)
        #expect(throws: SettingsDivergence.self) { try seal().open(LogRecord(place: 8, bytes: record)) }
    }

    @Test("Each byte of a record counts") func changedBytes() throws {
        let record = try seal().seal(part, after: 6)
        for index in record.indices {
            var changed = record
            changed[index] ^= 1
            #expect(throws: SettingsDivergence.self) { try seal().open(LogRecord(place: 7, bytes: changed)) }
        }
        for count in 0..<record.count {
            let short = Array(record.prefix(count))
            #expect(throws: SettingsDivergence.self) { try seal().open(LogRecord(place: 7, bytes: short)) }
        }
    }

    @Test("Another key is an error that names the option") func otherKey() throws {
        let record = try seal().seal(part, after: 6)
        let error = #expect(throws: SettingsDivergence.self) {
            try seal("another secret of the operator").open(LogRecord(place: 7, bytes: record))
        }
        #expect(error?.description.contains("another key; --cluster-key-file has to be the same on all nodes") == true)
    }

    @Test("A short secret is refused") func shortSecret() {
        let error = #expect(throws: WorkspaceError.self) { try seal("short") }
        #expect(error?.description.contains("--cluster-key") == true)
    }
}
