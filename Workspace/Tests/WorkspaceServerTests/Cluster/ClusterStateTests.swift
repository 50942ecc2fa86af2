import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The state of a cluster, and the problems that need a person") struct ClusterStateTests {
    private static let one = NodeReport(name: "one", id: "one-1", version: "1", owned: [0: 5, 1: 5], takeovers: 2)
    private static let two = NodeReport(name: "two", id: "two-1", version: "1", owned: [2: 5])

    private func place(_ owner: String, through: UInt64 = 5) -> PartitionLease {
        PartitionLease(owner: owner, incarnation: "log", through: through, next: 1_800_000_000_000)
    }

    private func standing(
        _ places: [PartitionLease?], node: NodeReport = one, others: [NodeReport] = [one, two],
        settings: SharedSettings.State? = .following
    ) -> ClusterState {
        ClusterState(
            at: 1_800_000_001_000, node: node, others: others, places: places,
            end: IntakeMark(places: places.map { _ in 7 }), settings: settings.map { .init(state: $0, applied: 9) })
    }

    private var whole: [PartitionLease?] { [place("one-1"), place("one-1"), place("two-1")] }

    @Test("A cluster has no problem when its nodes answer, its log lost nothing, and it follows its settings")
    func well() {
        #expect(standing(whole).problems == [])
        // A node without the settings of a cluster has none to follow.
        #expect(standing(whole, settings: nil).problems == [])
    }

    @Test("A partition without an owner, or with an owner that does not answer, is a problem") func unowned() {
        #expect(
            standing([place(""), place("one-1"), place("two-1")]).problems
                == ["no node that answers owns partition 0: what arrives there waits in the log"])
        #expect(
            standing([nil, place("one-1"), place("gone-7")]).problems
                == ["no node that answers owns the partitions 0 and 2: what arrives there waits in the log"])
        #expect(
            standing([nil, nil, place("two-1")], others: []).problems
                == ["no node that answers owns the partitions 0, 1 and 2: what arrives there waits in the log"])
    }

    @Test("A log that went back needs attention, and the node that found it is named") func alarms() {
        let (once, often) = (
            NodeReport(name: "two", id: "two-1", version: "1", owned: [2: 5], alarms: 1),
            NodeReport(name: "three", id: "three-1", version: "1", alarms: 3)
        )
        #expect(
            standing(whole, others: [often, once]).problems
                == [
                    "three found 3 times that the log went back: acknowledged records may be lost",
                    "two found once that the log went back: acknowledged records may be lost",
                ])
    }

    @Test(
        "A node that does not follow the settings needs attention, and the reason is named",
        arguments: [
            (SharedSettings.State.starting, "one has not reached the log of the settings since it started"),
            (.away("no majority"), "one cannot use the log of the settings: no majority"),
            (.outdated("upgrade this node"), "one does not follow the settings: upgrade this node"),
            (.diverged("another key"), "one does not follow the settings any more: another key"),
        ])
    func settings(_ state: SharedSettings.State, _ problem: String) {
        #expect(standing(whole, settings: state).problems == [problem])
    }

    @Test("Another node that waits for its upgrade needs attention, and does not coordinate") func outdated() {
        let old = NodeReport(name: "two", id: "two-1", version: "0", owned: [0: 7], isOutdated: true)
        let standing = standing(whole, others: [old])
        let problem = "a newer version of the server changed the settings, and two has to be upgraded"
        #expect(standing.problems.contains(problem))
        #expect(standing.json["nodes"]?.elements?.last?["isOutdated"] == true)
        #expect(standing.json["nodes"]?.elements?.last?["isCoordinator"] == false)
    }

    @Test("The node that answers is there when its own report did not come back to it") func own() {
        let alone = standing(whole, others: [Self.two])
        #expect(alone.nodes.map(\.name) == ["one", "two"])
        #expect(alone.problems == [])
        // What it says of itself now is newer than what came back.
        let late = NodeReport(name: "one", id: "one-1", version: "1")
        #expect(standing(whole, others: [late, Self.two]).nodes.first?.takeovers == 2)
    }

    @Test("A partition shows its owner, its waiting records, and until when all are stored") func partitions() {
        let partitions = standing([place("one-1", through: 3), place("gone-7", through: 9), nil]).partitions
        #expect(partitions.map(\.owner) == ["one", "gone-7", nil])
        #expect(partitions.map(\.answers) == [true, false, false])
        // A log that went back ends before what is stored.
        #expect(partitions.map(\.waiting) == [4, 0, 7])
        #expect(partitions.map(\.confirmedAt) == [1_800_000_000_000, 1_800_000_000_000, nil])
    }

    @Test("The answer names the problems, and the node that answered") func json() {
        let json = standing([nil], settings: .away("no majority")).json
        #expect(json["answeredBy"] == "one-1")
        #expect(json["at"] == "2027-01-15T08:00:01.000Z")
        #expect(json["problems"]?.elements?.count == 2)
        let settings: JSON = [
            "applied": 9, "state": "away", "reason": "no majority", "usesNewKey": true, "needsOldKey": .null,
        ]
        #expect(json["settings"] == settings)
        #expect(json["partitions"]?.elements?.first?["confirmedAt"] == .null)
    }
}
