import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The settings of an insert") struct ClickHouseInsertTests {
    private static let first: Set = ["max_insert_block_size"]
    private static let quorum: Set = ["insert_quorum", "insert_quorum_timeout"]
    private static let newer: Set = [
        "async_insert", "insert_quorum_parallel", "insert_deduplication_token", "max_partitions_per_insert_block",
    ]

    @Test(
        "A server gets the settings that its version knows",
        arguments: [
            (18, 1, first), (18, 2, first.union(quorum)), (20, 1, first), (21, 1, first.union(newer)),
            (22, 2, first.union(quorum).union(newer)),
            (23, 2, first.union(quorum).union(newer).union(["insert_keeper_max_retries"])),
        ])
    func names(_ version: Int, _ quorum: Int, _ expected: Set<String>) {
        #expect(Set(ClickHouseInsert.settings(version: version, quorum: quorum, token: "t").keys) == expected)
    }

    @Test("The check of a cluster looks at each setting that is sent") func areChecked() {
        let sent = ClickHouseInsert.settings(version: 99, quorum: 2, token: "t").keys
        #expect(Set(sent).isSubset(of: StoreUserCheck.sent.map(\.name)))
    }
}
