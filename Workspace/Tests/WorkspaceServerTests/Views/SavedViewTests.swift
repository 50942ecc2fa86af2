import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Saved questions", .timeLimit(.minutes(30))) struct SavedViewTests {
    private func put(_ client: TestClient, _ name: String, _ body: String, status: Int = 200) async throws -> JSON {
        let answer = try await client.put("/api/views/\(name)", body)
        #expect(answer.status == status, "\(answer.text)")
        return try answer.json
    }

    /// The names on the board, in their order.
    private func board(_ client: TestClient) async throws -> [String] {
        let views = try #require(try await client.get("/api/views").json["views"]?.elements)
        return views.filter { $0["board"]?.intValue != nil }
            .sorted { ($0["board"]?.intValue ?? 0) < ($1["board"]?.intValue ?? 0) }
            .compactMap { $0["name"]?.stringValue }
    }

    private func client(_ name: String, _ role: String, of workspace: TestWorkspace) async throws -> TestClient {
        let answer = try await workspace.client.post("/api/tokens", ["name": .string(name), "role": .string(role)])
        var client = workspace.client
        client.token = try answer.json["token"]?.stringValue
        return client
    }

    @Test("A question is saved, found again by its name, renamed and removed")
    func life() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            let made = try await put(
                client, "by%20name", #"{"place":"explore","query":"by=name&days=7&source=WK"}"#, status: 201)
            #expect(made["link"] == "/explore?by=name&days=7&source=WK")
            #expect(made["owner"] == .null)
            let kept = try await put(client, "by%20name", #"{"query":"by=type"}"#)
            #expect(kept["place"] == "explore" && kept["link"] == "/explore?by=type")
            let renamed = try await put(client, "by%20name", #"{"name":"types"}"#)
            #expect(renamed["name"] == "types" && renamed["createdAt"] == made["createdAt"])
            #expect(try await client.get("/api/views/by%20name").status == 404)
            #expect(try await client.get("/api/views/types").json == renamed)
            _ = try await put(client, "all", #"{"place":"events","query":""}"#, status: 201)
            #expect(try await client.get("/api/views/all").json["link"] == "/")
            #expect(try await client.send("DELETE", "/api/views/types", body: nil).status == 200)
            #expect(try await client.send("DELETE", "/api/views/types", body: nil).status == 404)
            let audit = try await client.get("/api/audit").text
            #expect(audit.contains("question saved") && audit.contains("saved question removed"))
            #expect(!audit.contains("by=type"))
        }
    }

    @Test("The one who saved a question first owns it, and readers cannot change it")
    func owner() async throws {
        try await TestWorkspace.run { workspace in
            let (ana, ben) = (
                try await client("Ana", "deploy", of: workspace), try await client("Ben", "look", of: workspace)
            )
            _ = try await put(ana, "q", #"{"place":"explore","query":"by=name"}"#, status: 201)
            let changed = try await put(workspace.client, "q", #"{"query":"by=type"}"#)
            #expect(changed["owner"] == "Ana")
            #expect(try await ben.get("/api/views/q").json["owner"] == "Ana")
            _ = try await put(ben, "q", #"{"query":"by=source"}"#, status: 403)
            #expect(try await ben.send("DELETE", "/api/views/q", body: nil).status == 403)
        }
    }

    @Test("The board keeps its questions in an order without gaps")
    func order() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            for name in ["a", "b", "c"] {
                _ = try await put(client, name, #"{"place":"explore","query":"by=name","board":9}"#, status: 201)
            }
            #expect(try await board(client) == ["a", "b", "c"])
            #expect(try await put(client, "c", #"{"board":1}"#)["board"] == 1)
            #expect(try await board(client) == ["c", "a", "b"])
            _ = try await put(client, "a", #"{"board":null}"#)
            #expect(try await put(client, "b", #"{"name":"z"}"#)["board"] == 2)
            #expect(try await board(client) == ["c", "z"])
            #expect(try await client.send("DELETE", "/api/views/c", body: nil).status == 200)
            #expect(try await client.get("/api/views/z").json["board"] == 1)
            _ = try await put(client, "e", #"{"place":"events","query":"","board":1}"#, status: 400)
        }
    }

    @Test("There is room for a number of questions, and for fewer on the board")
    func limits() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            let body = #"{"place":"explore","query":"by=name","board":1}"#
            for number in 0..<Limits.boardViews { _ = try await put(client, "b\(number)", body, status: 201) }
            _ = try await put(client, "more", body, status: 409)
            _ = try await put(client, "b0", #"{"board":3}"#)
            for number in Limits.boardViews..<Limits.views {
                _ = try await put(client, "v\(number)", #"{"place":"events","query":""}"#, status: 201)
            }
            _ = try await put(client, "more", #"{"place":"events","query":""}"#, status: 409)
            _ = try await put(client, "v\(Limits.boardViews)", #"{"query":"type=track"}"#)
        }
    }

    @Test("Nothing but names and values of a place is stored")
    func hostile() async throws {
        let bodies = [
            #"{"place":"//evil.example","query":""}"#, #"{"place":"people","query":"user=u"}"#,
            #"{"place":"https://evil.example/","query":""}"#, #"{"place":"explore","query":"?by=name"}"#,
            #"{"place":"explore","query":"by=name#x"}"#, #"{"place":"explore","query":"//evil.example"}"#,
            #"{"place":"explore","query":"javascript:alert(1)"}"#, #"{"place":"explore","query":"by=a b"}"#,
            #"{"place":"explore","query":"by=%0aSet-Cookie"}"#, #"{"place":"explore","query":"by=%ff"}"#,
            #"{"place":"explore","query":"by=%zz"}"#, #"{"place":"explore","query":"<b>=1"}"#,
            #"{"place":"explore","query":"by=\u202e"}"#, #"{"place":"explore","query":"=1"}"#,
            #"{"place":"explore","query":1}"#, #"{"place":"explore","query":"by=name","board":0}"#,
            #"{"place":"explore","query":"by=name","board":"1"}"#,
            #"{"place":"explore","query":"by=name","owner":"x"}"#,
            #"{"place":"explore"}"#, #"{"query":"by=name"}"#, "[]", #"{"name":"..","place":"events","query":""}"#,
            #"{"name":"a\u202eb","place":"events","query":""}"#, #"{"name":"","place":"events","query":""}"#,
            #"{"place":"explore","query":"by=\#(String(repeating: "x", count: 8_190))"}"#,
            #"{"place":"explore","query":"by=\#(String(repeating: ":", count: 4_000))"}"#,
        ]
        try await TestWorkspace.run { workspace in
            for body in bodies { _ = try await put(workspace.client, "q", body, status: 400) }
            #expect(try await workspace.client.get("/api/views").json["views"] == [])
        }
    }

    @Test(
        "A query is written anew, so that its values stay values in every document and address",
        arguments: [
            ("by=name", "by=name"),
            ("by=%22><script>alert(1)</script>", "by=%22%3E%3Cscript%3Ealert%281%29%3C%2Fscript%3E"),
            ("where=a%3D%22b+c%22&where=x", "where=a%3D%22b%20c%22&where=x"), ("&&by", "by="),
            ("to=https://evil.example/%5C%2e%2e", "to=https%3A%2F%2Fevil.example%2F%5C.."),
            ("type=%F0%9F%8D%8B", "type=%F0%9F%8D%8B"), ("a=1=2", "a=1%3D2"),
        ])
    func rewritten(_ query: String, _ stored: String) throws {
        let first = try ViewQuery(query)
        #expect(first.text == stored)
        #expect(try ViewQuery(first.text) == first)
    }

    @Test("The command saves, orders, shows and removes questions")
    func command() async throws {
        try await TestWorkspace.run { workspace in
            func run(_ arguments: String..., code: Int32 = 0) async throws -> String {
                let outcome = try await CommandRun.finish(["view"] + arguments + ["--server", workspace.client.url])
                #expect(outcome.status == code, "\(outcome)")
                return outcome.output
            }
            #expect(try await run("list").contains("no saved questions"))
            _ = try await run("save", "a/b", "--place", "explore", "--query", "by=name", "--board", "1")
            let line = try await run("list")
            #expect(line.contains("a/b") && line.contains("/explore?by=name") && line.contains("board 1"))
            _ = try await run("save", "a/b", "--rename", "c", "--off-board")
            #expect(try await !run("list").contains("board"))
            #expect(try await run("show", "c").contains(#""board":null"#))
            _ = try await run("save", "c", "--board", "1", "--off-board", code: 64)
            #expect(try await run("remove", "c").contains("removed c"))
            _ = try await run("show", "c", code: 1)
        }
    }
}
