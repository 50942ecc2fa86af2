import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A real server, and real processes with functions.
@Suite("Versions of functions", .timeLimit(.minutes(30))) struct FunctionVersionTests {
    private static let path = "/api/sources/WK/destinations/Fn"

    private static func code(_ text: String, secrets: String = "{}") -> String {
        """
        class Fn extends Destination {
          static settings = { channel: { default: "a" } };
          static secrets = \(secrets);
          static hosts = ["example.com"];
          track(event, settings) { return request("POST", "https://example.com", { body: `\(text)` }); }
        }
        """
    }

    private func put(_ client: TestClient, _ body: JSON) async throws -> TestClient.Answer {
        try await client.put(Self.path, body.description)
    }

    private func make(_ client: TestClient, _ text: String, secrets: JSON = [:], declared: String = "{}") async throws {
        let answer = try await put(
            client,
            [
                "kind": "function", "enabled": false, "secrets": secrets,
                "settings": ["code": .string(Self.code(text, secrets: declared))],
            ])
        #expect(answer.status < 300, "\(answer.text)")
    }

    /// The versions of the list, as their number, whether the code is new, and the channel.
    private func versions(_ client: TestClient, _ path: String = path) async throws -> [String] {
        let answer = try await client.get(path + "/versions").json
        let list = answer["versions"]?.elements ?? []
        #expect(answer["current"] == list.first?["version"] ?? .null)
        return list.map { version in
            let channel = version["settings"]?["channel"]?.stringValue ?? "-"
            return "\(version["version"]?.intValue ?? 0) \(version["newCode"] == true ? "code" : "settings") \(channel)"
        }
    }

    private func run(folder: TemporaryFolder? = nil, _ body: (TestWorkspace) async throws -> Void) async throws {
        try await TestWorkspace.run(in: folder, program: CommandRun.executable.path, body)
    }

    /// The text that the deployed code makes of the newest event.
    private func sent(_ client: TestClient) async throws -> JSON? {
        let calls = try await client.post(Self.path + "/trial", [:]).json["calls"]
        return calls?.elements?.last?["requests"]?.elements?.first?["body"]
    }

    @Test("Each change of the code or the settings is a version, and the way back is a new one")
    func back() async throws {
        try await run { workspace in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m-1")])
            try await make(client, "one")
            try await make(client, "one")
            let change: JSON = ["settings": ["code": .string(Self.code("one")), "settings": ["channel": "b"]]]
            #expect(try await put(client, change).status == 200)
            #expect(try await put(client, ["enabled": false]).status == 200)
            try await make(client, "two ${settings.channel}")
            #expect(try await versions(client) == ["3 code -", "2 settings b", "1 code -"])
            #expect(try await sent(client) == "two a")
            let first = try await client.get(Self.path + "/versions/1").json
            #expect(first["settings"]?["code"]?.stringValue == Self.code("one"))
            #expect(first["settings"]?["declaration"] == nil)
            #expect(first["storedBy"] == "token")
            let back = try await client.post(Self.path + "/rollback", [:]).json
            #expect(back["version"] == 4)
            #expect(back["contentOf"] == 2)
            #expect(try await sent(client) == "one")
            #expect(try await client.post(Self.path + "/rollback", ["version": 3]).json["version"] == 5)
            #expect(try await sent(client) == "two a")
            #expect(
                try await versions(client)
                    == ["5 code -", "4 code b", "3 code -", "2 settings b", "1 code -"])
        }
    }

    @Test("Going back to a version that is not there, or cannot run any more, says why and changes nothing")
    func refusals() async throws {
        try await run { workspace in
            let client = workspace.client
            try await make(client, "one", secrets: ["token": "x"], declared: "{ token: { required: true } }")
            let alone = try await client.post(Self.path + "/rollback", [:])
            #expect(alone.status == 404)
            #expect(alone.text.contains("no earlier version"), "\(alone.text)")
            try await make(client, "two")
            for (path, body, status, reason) in [
                ("/rollback", ["version": 7], 404, "it has 2, 1"), ("/rollback", ["versoin": 1], 400, "with version"),
                ("/rollback", ["version": "one"], 400, "whole number"), ("/versions/x", nil, 400, "whole number"),
                ("/versions/3", nil, 404, "no version 3"),
            ] as [(String, JSON?, Int, String)] {
                let answer =
                    if let body { try await client.post(Self.path + path, body) } else {
                        try await client.get(Self.path + path)
                    }
                #expect(answer.status == status, "\(path) \(answer.text)")
                #expect(answer.text.contains(reason), "\(answer.text)")
            }
            #expect(try await put(client, ["enabled": true]).status == 200)
            let broken = try await client.post(Self.path + "/rollback", ["version": 1])
            #expect(broken.status == 422, "\(broken.text)")
            #expect(broken.text.contains("the secret token is missing"), "\(broken.text)")
            #expect(try await versions(client).count == 2)
            let webhook = #"{"kind":"webhook","settings":{"url":"https://example.com"}}"#
            #expect(try await client.put("/api/sources/WK/destinations/Hook", webhook).status == 201)
            #expect(try await client.get("/api/sources/WK/destinations/Hook/versions").status == 409)
        }
    }

    @Test("A trial compares other code with the deployed code, on the events that it is asked about")
    func comparison() async throws {
        try await run { workspace in
            let client = workspace.client
            try await client.batch(
                (1...6).map { number in
                    var event = Events.track(messageId: "m-\(number)")
                    event["properties"] = ["total": .number(number)]
                    return event
                })
            try await make(client, "${event.messageId}")
            try await make(client, "${event.properties.total > 4 ? \"many\" : event.messageId}")
            func trial(_ body: JSON, _ query: String = "") async throws -> JSON {
                let answer = try await client.post(Self.path + "/trial?" + query, body)
                #expect(answer.status == 200, "\(answer.text)")
                return try answer.json
            }
            let all = try await trial(["version": 1, "compare": true])
            #expect(all["compared"] == ["events": 6, "changed": 2])
            let calls = all["calls"]?.elements ?? []
            #expect(calls.map { $0["same"] } == [true, true, true, true, false, false])
            #expect(calls.last?["requests"]?.elements?.first?["body"] == "m-6")
            #expect(calls.last?["before"]?["requests"]?.elements?.first?["body"] == "many")
            let few = try await trial(["version": 1, "compare": true], "where=properties.total%3C5")
            #expect(few["compared"] == ["events": 4, "changed": 0])
            let failing: JSON = ["code": .string(Self.code("${event.context.app.name}")), "compare": true, "last": 1]
            let call = try await trial(failing)["calls"]?.elements?.first
            #expect(call?["error"]?.stringValue?.contains("function, line 5") == true, "\(call ?? .null)")
            #expect(call?["before"]?["requests"]?.elements?.count == 1)
            for (body, query, reason) in [
                (["version": 1, "settings": [:]], "", "name neither"), (["version": 9], "", "it has 2, 1"),
                ([:], "rate=5", "takes no rate"), (["compare": 1], "", "true or false"),
                ([:], "where=%3C", "a condition begins"),
            ] as [(JSON, String, String)] {
                let answer = try await client.post(Self.path + "/trial?" + query, body)
                #expect(answer.status == 400 || answer.status == 404, "\(answer.text)")
                #expect(answer.text.contains(reason), "\(answer.text)")
            }
        }
    }

    @Test("A function of an earlier program keeps its code as version 1, and versions go with their owner")
    func owners() async throws {
        let folder = try TemporaryFolder()
        try await run(folder: folder) { workspace in try await make(workspace.client, "one") }
        try await edit(folder) { try $0.execute(sql: "DELETE FROM functionVersion") }
        try await run(folder: folder) { workspace in
            let client = workspace.client
            #expect(try await versions(client) == [])
            try await make(client, "two")
            #expect(try await versions(client) == ["2 code -", "1 code -"])
            #expect(try await client.get(Self.path + "/versions/1").json["storedBy"] == "")
            #expect(try await client.post(Self.path + "/rollback", [:]).json["contentOf"] == 1)
            let hook = """
                class Hook extends Source {
                  static verification = { scheme: "none" };
                  onRequest() { return null; }
                }
                """
            for text in [hook, hook + "\n// later"] {
                let body: JSON = ["code": .string(text)]
                #expect(try await client.put("/api/sources/WK/function", body.description).status < 300)
            }
            let function = "/api/sources/WK/function"
            #expect(try await versions(client, function) == ["2 code -", "1 code -"])
            #expect(try await client.post(function + "/rollback", [:]).json["contentOf"] == 1)
            #expect(try await client.get(function).json["code"]?.stringValue == hook)
            #expect(try await client.send("DELETE", Self.path, body: nil).status == 200)
            #expect(try await client.send("DELETE", function, body: nil).status == 200)
            #expect(try await client.get(function + "/versions").status == 404)
        }
        let left = try await edit(folder) { try Int.fetchOne($0, sql: "SELECT count(*) FROM functionVersion") }
        #expect(left == 0)
    }

    @Test("The newest 50 versions are kept, and their numbers go on")
    func limit() throws {
        let database = try DatabaseQueue()
        try database.writeWithoutTransaction { db in
            try Schema.history.prepare(db)
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            for number in 1...60 {
                try FunctionVersion.note(
                    ["code": .number(number)], of: .source(1), replacing: nil, by: .server, now: 0, db)
            }
            let versions = try FunctionVersion.all(of: .source(1), db).map(\.version)
            #expect(versions == Array((11...60).reversed()))
            #expect(try FunctionVersion.all(of: .destination(1, of: 1), db).isEmpty)
        }
    }

    @discardableResult
    private func edit<Value: Sendable>(
        _ folder: TemporaryFolder, _ body: @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let database = try DatabaseQueue(path: folder.path + "/workspace.sqlite")
        return try await database.write(body)
    }
}
