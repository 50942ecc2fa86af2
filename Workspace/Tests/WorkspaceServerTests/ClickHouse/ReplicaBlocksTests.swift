import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Whether a replica has every block") struct ReplicaBlocksTests {
    /// What several looks in a row say.
    private func looks(_ looks: (last: UInt64, next: UInt64, fetches: Set<String>)...) -> [Bool] {
        var blocks = ReplicaBlocks()
        return looks.map { blocks.look(last: $0.last, next: $0.next, fetches: $0.fetches) }
    }

    @Test("A replica that has copied the log and fetches nothing lacks nothing") func whole() {
        #expect(looks((7, 8, [])) == [true])
    }

    @Test("A replica that fetches a block lacks it, and blocks after the first look do not matter") func hole() {
        let found = looks((7, 8, ["q-3"]), (8, 9, ["q-3", "q-5"]), (9, 10, ["q-5", "q-6"]))
        #expect(found == [false, false, true])
    }

    @Test("A replica has to copy the log first, up to its end at the first look") func behind() {
        #expect(looks((7, 7, []), (9, 8, ["q-3"]), (12, 9, ["q-4"])) == [false, false, true])
    }

    @Test("A table without a block lacks none") func empty() {
        #expect(looks((0, 0, [])) == [true])
    }
}
