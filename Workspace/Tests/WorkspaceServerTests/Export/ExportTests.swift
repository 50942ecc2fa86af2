import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Export", .timeLimit(.minutes(30))) struct ExportTests {
    @Test("An export of several pages has each event once, in order, and no later events")
    func pages() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let count = Limits.exportRows * 2 + 7
            try await client.batch((0..<count).map { Events.track(messageId: "m-\($0)") })
            try await client.batch([["type": "identify", "userId": "u", "messageId": "other"]])
            let answer = try await client.get("/api/export?type=track")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/x-ndjson")
            let rows = try answer.text.split(separator: "\n").map { try JSON.parse(String($0)) }
            #expect(rows.map { $0["messageId"]?.stringValue } == (0..<count).map { "m-\($0)" })
            #expect(rows.first?["event"]?["properties"]?["total"] == 42)
            let some = try await client.get("/api/export?after=3&before=7")
            #expect(some.text.split(separator: "\n").count == 3)
        }
    }

    @Test("A search can be exported page by page, and each page says how much is left", arguments: ["ndjson", "csv"])
    func search(format: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let count = Limits.exportRows * 2 + 7
            try await client.batch((0..<count).map { Events.track(messageId: "m-\($0)") })
            let query = "/api/export?format=\(format)&where=properties.total>41"
            let whole = try await client.get(query).text
            var (pages, left, position) = ([String](), [Int](), "")
            repeat {
                let page = try await client.get(query + "&page=true" + position)
                #expect(page.status == 200)
                pages.append(page.text)
                left.append(try #require(page.header("Tributary-Left").flatMap { Int($0) }))
                position = page.header("Tributary-Next").map { "&after=\($0)" } ?? ""
            } while !position.isEmpty && pages.count < 10
            #expect(pages.joined() == whole)
            #expect(left == [count - Limits.exportRows, count - 2 * Limits.exportRows, 0])
            #expect(try await client.get(query + "&page=2").status == 400)
        }
    }

    @Test("A CSV export has a line of names, quotes values where needed, and has the chosen columns")
    func csv() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch([
                [
                    "type": "track", "event": "A, \"B\"", "userId": "u\n1", "messageId": "m-1",
                    "properties": ["total": 4.50, "list": [1, 2], "nested": ["x": "ä"]],
                ],
                ["type": "identify", "anonymousId": "a", "messageId": "m-2"],
            ])
            let answer = try await client.get(
                "/api/export?format=csv&columns=messageId,name,userId,properties.total,properties.list,properties.nested.x"
            )
            #expect(answer.header("Content-Type") == "text/csv; charset=utf-8; header=present")
            #expect(
                answer.text == "messageId,name,userId,properties.total,properties.list,properties.nested.x\r\n"
                    + "m-1,\"A, \"\"B\"\"\",\"u\n1\",4.5,\"[1,2]\",ä\r\nm-2,,,,,\r\n")
            let usual = try await client.get("/api/export?format=csv").text
            #expect(
                usual.hasPrefix(
                    "sequence,writeKey,messageId,type,name,userId,anonymousId,timestamp,receivedAt,event\r\n1,WK,m-1"))
        }
    }

    @Test("An invalid export is refused", arguments: ["format=xml", "format=csv&columns=a,,b", "since=x"])
    func refused(query: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.get("/api/export?\(query)").status == 400)
            #expect(try await workspace.client.stranger.get("/api/export").status == 401)
        }
    }
}
