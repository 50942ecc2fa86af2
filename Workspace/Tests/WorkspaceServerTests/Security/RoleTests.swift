import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Roles of tokens", .timeLimit(.minutes(30))) struct RoleTests {
    /// An operation of the administration, as the description of the HTTP API has it.
    private struct Operation {
        let id: String
        let method: String
        let path: String
        let role: Role
    }

    private func operations() throws -> [Operation] {
        let document = try JSON.parse(EmbeddedFile.named("openapi.json").text)
        var operations: [Operation] = []
        for (path, item) in try #require(document["paths"]?.objectValue) {
            for (method, operation) in item.objectValue ?? [:] {
                guard let schemes = operation["security"]?.elements else { continue }
                let id = try #require(operation["operationId"]?.stringValue)
                let named = schemes.compactMap { $0["token"]?.elements?.first?.stringValue }.first
                let role = try #require(named.flatMap(Role.init), "\(id) names no role")
                for other in schemes.flatMap({ $0.objectValue?.map { $0.value } ?? [] }) {
                    #expect(other == .array([.string(role.rawValue)]), "\(id) names two roles")
                }
                operations.append(Operation(id: id, method: method.uppercased(), path: path, role: role))
            }
        }
        return operations
    }

    private func makeToken(_ role: Role, of workspace: TestWorkspace, named name: String? = nil) async throws -> String
    {
        let body: JSON = ["name": .string(name ?? role.rawValue), "role": .string(role.rawValue)]
        let answer = try await workspace.client.post("/api/tokens", body)
        #expect(answer.status == 201)
        return try #require(try answer.json["token"]?.stringValue)
    }

    private func client(_ token: String, of workspace: TestWorkspace) -> TestClient {
        var client = workspace.client
        client.token = token
        return client
    }

    @Test(
        "The role look can only read, and the role deploy can only change live plugins, filters, stops, plans and saved questions"
    )
    func distribution() throws {
        let operations = try operations()
        // A query only reads, and is sent as a body because it may be long.
        #expect(operations.filter { $0.role == .look && $0.method != "GET" }.map(\.id) == ["askInSQL"])
        #expect(
            operations.filter { $0.role == .deploy }.map(\.id).sorted()
                == [
                    "advanceFilterRollout", "advanceRollout", "announceDifferences", "deploy", "disable", "dryRun",
                    "endStop",
                    "goldenSessions",
                    "importPlan",
                    "pauseFilterRollout", "pauseRollout", "planEvent", "putFilters", "putPlan", "putView", "removeView",
                    "resumeFilterRollout", "resumeRollout", "reviewLivePlugins",
                    "rollBack", "rollBackFilters", "stopOnDevices", "tryLivePlugins", "trySignals", "widen",
                ])
        #expect(
            operations.filter { $0.method == "GET" && $0.role > .look }.map(\.id).sorted() == [
                "boardLinks", "goldenSessions", "tokens",
            ])
    }

    @Test("Each route refuses lower roles and accepts its own role and higher roles", arguments: Role.allCases)
    func everyRoute(role: Role) async throws {
        let operations = try operations()
        #expect(operations.count > 40)
        try await TestWorkspace.run(allowsReset: true, program: CommandRun.executable.path) { workspace async throws in
            let token = try await makeToken(role, of: workspace)
            for operation in operations {
                // No object has these names: an allowed request gets another refusal, and no stream begins.
                var path = operation.path.replacing(#/\{\w+\}/#, with: "none")
                if operation.id == "stream" { path += "?lastEventId=x" }
                if operation.id == "waitForEvent" { path += "?timeout=0" }
                let answer = try await workspace.client.stranger.send(
                    operation.method, path, body: operation.method == "GET" ? nil : [],
                    headers: ["Authorization": "Bearer \(token)"])
                let isRefused = answer.status == 403
                #expect(isRefused == (role < operation.role), "\(operation.id): \(answer.status) \(answer.text)")
                #expect(answer.status != 401 && answer.status < 500, "\(operation.id): \(answer.status)")
            }
        }
    }

    @Test("A refusal names the token, its role and the role that is needed")
    func refusal() async throws {
        try await TestWorkspace.run { workspace async throws in
            let analyst = client(try await makeToken(.deploy, of: workspace, named: "Ana"), of: workspace)
            let answer = try await analyst.send("DELETE", "/api/users/u", body: nil)
            #expect(answer.status == 403)
            #expect(
                try answer.json["error"]
                    == "the token Ana has the role deploy; this needs the role administer")
            #expect(try await analyst.put("/api/sources/WK/live-plugins", "// one").status == 200)
        }
    }

    @Test("Only the role administer sees the values of a destination's headers")
    func headers() async throws {
        try await TestWorkspace.run { workspace async throws in
            let path = "/api/sources/WK/destinations/Partner"
            let settings: JSON = ["url": "http://127.0.0.1:9/", "headers": ["Authorization": "Bearer abc"]]
            let body: JSON = ["kind": "webhook", "settings": settings]
            let made = try await workspace.client.put(path, body.description)
            #expect(made.status == 201)
            for role in Role.allCases {
                let client = client(try await makeToken(role, of: workspace), of: workspace)
                let shown: JSON = role == .administer ? "Bearer abc" : "…"
                let one = try await client.get(path)
                #expect(try one.json["settings"]?["headers"] == ["Authorization": shown])
                let list = try await client.get("/api/sources/WK/destinations")
                let first = try list.json["destinations"]?.elements?.first
                #expect(first?["settings"]?["headers"] == ["Authorization": shown])
            }
        }
    }

    @Test("The audit log has the name of the token, also for the token of a login")
    func audit() async throws {
        try await TestWorkspace.run { workspace async throws in
            let token = try await makeToken(.deploy, of: workspace, named: "Ana")
            _ = try await client(token, of: workspace).put("/api/sources/WK/live-plugins", "// one")
            let browser = workspace.client.stranger
            let cookie = ["Cookie": try await browser.login(token)]
            #expect(try await browser.put("/api/sources/WK/live-plugins", "// two", headers: cookie).status == 200)
            let entries = try await workspace.client.get("/api/audit?limit=3").json["entries"]?.elements ?? []
            #expect(entries.map { $0["by"] } == ["login", "token", "token"])
            #expect(entries.map { $0["token"] } == ["Ana", "Ana", .null])
            #expect(entries.last?["action"] == "token made")
            #expect(entries.last?["details"] == ["name": "Ana", "role": "deploy"])
        }
    }

    @Test("A login has the role of its token, and ends when the token is revoked")
    func revoked() async throws {
        try await TestWorkspace.run { workspace async throws in
            let token = try await makeToken(.look, of: workspace, named: "night shift")
            let watcher = client(token, of: workspace)
            let browser = workspace.client.stranger
            let cookie = ["Cookie": try await browser.login(token)]
            #expect(try await browser.get("/", headers: cookie).status == 200)
            #expect(try await browser.get("/api/events", headers: cookie).status == 200)
            #expect(try await browser.put("/api/sources/WK/filters", "[]", headers: cookie).status == 403)
            #expect(try await watcher.get("/api/events").status == 200)
            var stream = try EventStreamClient.connect(workspace.client.url + "/api/stream", token: token)
                .makeAsyncIterator()
            #expect(await stream.next() != nil)
            let answer = try await workspace.client.send("DELETE", "/api/tokens/night%20shift", body: nil)
            #expect(answer.status == 200)
            // An open stream ends, too.
            while await stream.next() != nil {}
            #expect(try answer.json["tokens"] == [])
            #expect(try await watcher.get("/api/events").status == 401)
            #expect(try await browser.get("/api/events", headers: cookie).status == 401)
            #expect(try await browser.plain("GET", "/", headers: cookie).status == 302)
            #expect(try await browser.form("/login", "token=\(token)").status == 401)
            #expect(try await workspace.client.send("DELETE", "/api/tokens/night%20shift", body: nil).status == 404)
        }
    }

    @Test("Tokens and their logins survive a restart and a new admin token, and no file contains a token")
    func stored() async throws {
        let folder = try TemporaryFolder()
        let token = try await TestWorkspace.run(in: folder) { workspace async throws in
            let token = try await makeToken(.look, of: workspace, named: "monitor")
            #expect(try await client(token, of: workspace).get("/api/stats").status == 200)
            return token
        }
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            guard let data = FileManager.default.contents(atPath: folder.path + "/" + file) else { continue }
            #expect(data.range(of: Data(token.utf8)) == nil, "\(file)")
        }
        _ = try Workspace.resetAdminToken(dataFolder: folder.path)
        try await TestWorkspace.run(in: folder) { workspace async throws in
            #expect(try await client(token, of: workspace).get("/api/stats").status == 200)
            let listed = try await workspace.client.get("/api/tokens").json["tokens"]?.elements ?? []
            #expect(listed.map { $0["name"] } == ["monitor"])
            #expect(listed.first?["usedAt"]?.stringValue != nil)
            #expect(listed.first?["token"] == nil)
        }
    }

    @Test(
        "A token without a plain name or a known role is not made",
        arguments: [
            #"{"name":"a"}"#, #"{"name":"","role":"look"}"#, #"{"name":"a\nb","role":"look"}"#,
            #"{"name":"a","role":"root"}"#, #"{"name":"a","role":"look","more":1}"#, #"{"name":7,"role":"look"}"#,
            "[]", "", "{",
        ])
    func badBody(body: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.send("POST", "/api/tokens", body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(try await workspace.client.get("/api/tokens").json["tokens"] == [])
        }
    }

    @Test("A second token of the same name is refused")
    func sameName() async throws {
        try await TestWorkspace.run { workspace async throws in
            let first = try await makeToken(.look, of: workspace, named: "a")
            let again = try await workspace.client.post("/api/tokens", ["name": "a", "role": "administer"])
            #expect(again.status == 409)
            #expect(try await client(first, of: workspace).get("/api/tokens").status == 403)
        }
    }

    @Test("The commands make, list and revoke tokens, and the audit command shows the name")
    func commands() async throws {
        try await TestWorkspace.run { workspace async throws in
            func run(_ arguments: String..., token: String = TestClient.token) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(arguments + ["--server", workspace.client.url], token: token)
            }
            let made = try await run("token", "add", "Ana", "--role", "deploy")
            #expect(made.status == 0)
            let token = made.output.trimmingCharacters(in: .newlines)
            let folder = try TemporaryFolder()
            try "// one".write(toFile: folder.path + "/p.js", atomically: true, encoding: .utf8)
            let deployed = try await run("plugin", "deploy", folder.path + "/p.js", "--write-key", "WK", token: token)
            #expect(deployed.status == 0, "\(deployed.errors)")
            let refused = try await run("token", "list", token: token)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("the token Ana has the role deploy"))
            #expect(try await run("token", "list").output.hasPrefix("Ana  deploy, made 20"))
            #expect(try await run("audit").output.contains("Ana (token)"))
            #expect(try await run("token", "revoke", "Ana", "--yes").output == "there is no named token\n")
            #expect(try await run("events", token: token).errors.contains("it is wrong or revoked"))
            #expect(try await run("token", "add", "x", "--role", "root").status == 64)
        }
    }
}
