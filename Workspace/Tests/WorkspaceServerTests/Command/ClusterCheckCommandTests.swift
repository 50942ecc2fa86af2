import Logging
import Testing

@testable import TributaryCommand
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The command `cluster check`, and the check of `serve`") struct ClusterCheckCommandTests {
    private let fine = CheckFinding(.log, "one", "version", found: "2.15.1")
    private let unseen = CheckFinding(.log, "one", "sync_interval", found: "cannot be seen", .unseen, advice: "look")
    private let wrong = CheckFinding(.store, "two\u{1B}[2J", "keeper", found: "not configured", .wrong, advice: "do")
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("A table has each finding, and what to do stands below it") func lines() {
        let lines = ClusterCheck.lines(EngineCheck([fine, unseen, wrong]))
        #expect(lines[0].split(separator: " ") == ["engine", "where", "setting", "found", "verdict"])
        #expect(lines[1].hasSuffix("fine"))
        #expect(lines[2].hasSuffix("unseen"))
        #expect(lines[3].hasSuffix("wrong"))
        #expect(lines[5] == "unseen: NATS, one, sync_interval: cannot be seen; look")
        #expect(lines.count == 7)
        #expect(!lines.contains { $0.contains("\u{1B}") })
        #expect(ClusterCheck.lines(EngineCheck([fine])).last == "all is fine")
    }

    @Test("A node starts with what cannot be seen, and not with what is wrong") func accept() throws {
        try ServeCluster.accept(EngineCheck([fine, unseen]), logger)
        #expect {
            try ServeCluster.accept(EngineCheck([fine, unseen, wrong]), logger)
        } throws: {
            "\($0)".contains("keeper: not configured; do") && !"\($0)".contains("sync_interval")
        }
    }

    @Test("A name of a node that the log cannot carry is refused", arguments: ["", "a\"b", "a\\b", "a\nb"])
    func nodeName(_ name: String) throws {
        #expect(throws: Failure.self) { try ServeCluster.checked(name) }
        #expect(try ServeCluster.checked("Node 1 – east") == "Node 1 – east")
    }

    @Test("A cluster has a log and a store, and their monitoring needs both") func engines() throws {
        func engines(_ flags: [String: [String]]) throws -> ClusterEngines? {
            try ClusterEngines(ServeValues(flags: flags, environment: [:], file: nil))
        }
        #expect(try engines([:]) == nil)
        let both = ["log": ["nats://a"], "store": ["clickhouse://b"]]
        #expect(try engines(both)?.logMonitoring == [])
        let all = both.merging(["log-monitoring": ["http://a,http://b:1"]]) { $1 }
        #expect(try engines(all)?.logMonitoring == ["http://a:8222", "http://b:1"])
        for name in ["log", "store"] {
            #expect(throws: Failure.self) { try engines(both.filter { $0.key == name }) }
        }
        #expect { try engines(["log-monitoring": ["http://a"]]) } throws: {
            "\($0)".contains("needs --log and --store")
        }
    }
}
