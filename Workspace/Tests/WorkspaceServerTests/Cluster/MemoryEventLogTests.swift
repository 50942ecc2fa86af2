import ClusterTestKit
import Testing

@Suite("The log of the tests keeps to the contract of logs") struct MemoryEventLogTests {
    @Test("The log in memory obeys the rules of the contract", arguments: EventLogContract.Rule.allCases)
    func keepsTo(_ rule: EventLogContract.Rule) async throws {
        try await EventLogContract(MemoryEventLog(partitions: 2)).check(rule)
    }
}
