import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Queries of the administration", .timeLimit(.minutes(30))) struct QueryTests {
    /// Each request would get a wrong answer if the server ignored the misspelt name.
    private static let misspelt = [
        "GET /api/events?userID=u", "GET /api/export?wirteKey=WK", "GET /api/stats?key=WK", "GET /api/sources?limit=1",
        "GET /api/wait-for-event?nmae=E&timeout=0", "GET /api/audit?after=1", "GET /api/signals?userId=u",
        "HEAD /api/events?x", "DELETE /api/users/u?writeKey=WK", "DELETE /api/sources/WK/events?type=track",
        "DELETE /api/sources/WK?dryRun=true", "POST /api/sources/WK/live-plugins/rollback?version=1",
        "PUT /api/sources/WK/live-plugins?percent=10",
    ]

    @Test("A query with an unknown name is refused and changes nothing", arguments: misspelt)
    func unknown(request: String) async throws {
        try await TestWorkspace.run(allowsReset: true) { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m", userId: "u")])
            let (method, path) = try #require(request.split(separator: " ").pair)
            let answer = try await client.send(method, path, body: method == "PUT" ? Array("//".utf8) : nil)
            #expect(answer.status == 400, "\(answer.text)")
            if method != "HEAD" {
                let name = try #require(path.split(separator: "?").last?.prefix { $0 != "=" })
                #expect(answer.text.contains("takes no \(name)"), "\(answer.text)")
            }
            #expect(try await client.events().count == 1)
            #expect(try await client.stranger.send(method, path, body: nil).status == 401)
        }
    }

    @Test("A repeated name in a query is refused, except names that may be repeated")
    func twice() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let answer = try await client.get("/api/events?writeKey=WK&writeKey=OTHER")
            #expect(answer.status == 400)
            #expect(answer.text.contains("writeKey is there twice"), "\(answer.text)")
            let conditions = "where=properties.total>41&where=properties.total<43"
            #expect(try await client.get("/api/events?\(conditions)").status == 200)
        }
    }

    @Test(
        "Unknown names in queries of clients are ignored", arguments: ["/v1/projects/WK/settings", "/health"])
    func clients(path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.get(path + "?cache=1&cache=2").status == 200)
        }
    }
}

extension [Substring] {
    fileprivate var pair: (String, String)? { count == 2 ? (String(self[0]), String(self[1])) : nil }
}
