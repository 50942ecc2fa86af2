import Foundation
import Synchronization
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Searches in the audit log", .timeLimit(.minutes(30))) struct AuditQueryTests {
    private func actions(_ client: TestClient, _ query: String) async throws -> [String] {
        let answer = try await client.get("/api/audit?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json["entries"]?.elements?.compactMap { $0["action"]?.stringValue } ?? []
    }

    @Test("Entries are found by who, kind, source, time and words, and by all of them together")
    func found() async throws {
        let clock = Mutex<Int64>(1_790_000_000_000)
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock.withLock { $0 } }
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"], environment: environment) { workspace in
            let client = workspace.client
            let made = try await client.post("/api/tokens", ["name": "Ana", "role": "deploy"])
            var ana = client
            ana.token = try made.json["token"]?.stringValue
            #expect(try await ana.put("/api/views/Café", #"{"place":"explore","query":"by=name"}"#).status == 201)
            clock.withLock { $0 += Day.milliseconds }
            #expect(try await client.put("/api/sources/WK/policy", #"{"ip":"drop"}"#).status == 200)
            let cookie = try await client.login()
            let byPage = try await client.stranger.plain(
                "PUT", "/api/sources/OTHER/policy", #"{"ip":"drop"}"#,
                headers: ["Cookie": cookie, "Content-Type": "application/json"])
            #expect(byPage.status == 200)
            #expect(try await actions(client, "token=Ana") == ["question saved"])
            #expect(try await actions(client, "by=login") == ["policy changed"])
            #expect(try await actions(client, "action=policy%20changed").count == 2)
            #expect(try await actions(client, "action=policy%20changed&writeKey=WK").count == 1)
            #expect(try await actions(client, "since=2026-09-22T13:00:00Z&by=token") == ["policy changed"])
            #expect(try await actions(client, "until=2026-09-22&by=token") == ["question saved", "token made"])
            #expect(try await actions(client, "find=SAVED%20ana") == ["question saved"])
            #expect(try await actions(client, "find=caf%C3%A9") == ["question saved"])
            #expect(try await actions(client, "find=admin%20token%20WK") == ["policy changed"])
            #expect(try await actions(client, "find=50%25") == [])
            #expect(try await client.get("/api/audit?by=nobody").status == 400)
            #expect(try await client.get("/api/audit?find=a%20b%20c%20d%20e%20f%20g%20h%20i").status == 400)
            #expect(try await client.get("/api/audit?writeKey=NONE").status == 400)
            let command = try await CommandRun.finish(
                ["audit", "--token", "Ana", "--find", "question", "--server", client.url])
            #expect(command.status == 0 && command.output.contains("Ana (token)  question saved"), "\(command)")
        }
    }

    @Test("A page looks at a number of entries, and the next one goes on behind them")
    func pages() async throws {
        let store = try Store.testing(TemporaryFolder())
        let count = Limits.auditEntries + 10
        try await store.change { db in
            for number in 1...count {
                let name = number == 3 ? "rare" : "often"
                let entry = AuditEntry(action: .tokenMade, details: ["name": .string(name)])
                try Store.log(db, entry, by: .server, now: Int64(number))
            }
        }
        var query = AuditQuery()
        query.words = ["rare"]
        let first = try await store.audit(query)
        #expect(first.entries.isEmpty)
        let next = try #require(first.next)
        query.before = next
        let second = try await store.audit(query)
        #expect(second.entries.count == 1 && second.next == nil)
        query = AuditQuery()
        query.limit = 2
        let whole = try await store.audit(query)
        #expect(whole.entries.count == 2 && whole.next == Int64(count - 1))
        try store.close()
    }
}
