import ClusterTestKit
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The log of a single machine keeps to the contract of logs") struct LocalEventLogTests {
    @Test(
        "The local log obeys the rules of the contract",
        arguments: EventLogContract.Rule.allCases)
    func keepsTo(_ rule: EventLogContract.Rule) async throws {
        let folder = try TemporaryFolder()
        let log = try LocalEventLog(folder: folder.path, partitions: 2)
        defer { log.close() }
        try await EventLogContract(log).check(rule)
    }

    @Test("Records are there after a restart") func restart() async throws {
        let folder = try TemporaryFolder()
        let log = try LocalEventLog(folder: folder.path, partitions: 1)
        try await log.append([1, 2], id: "a", to: 0)
        let incarnation = log.standing(of: 0).incarnation
        log.close()
        let again = try LocalEventLog(folder: folder.path, partitions: 1)
        defer { again.close() }
        #expect(try await again.read(0, from: 1, atMost: 9, bytes: 99) == [LogRecord(place: 1, bytes: [1, 2])])
        #expect(again.standing(of: 0).incarnation == incarnation)
    }
}
