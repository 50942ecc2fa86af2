import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The real executable, as a user runs it.
@Suite(.timeLimit(.minutes(30))) struct TributaryCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var data: String { folder.path + "/data" }

    private func serve(_ arguments: String...) throws -> CommandRun {
        try CommandRun(["serve", "--port", "0", "--data", data] + arguments)
    }

    @Test("A server that starts prints its data folder, write key and address")
    func startLines() async throws {
        let server = try serve()
        #expect(await server.line(after: "tributary: data in ") == data)
        let key = try #require(await server.line(after: "tributary: write key "))
        #expect(key.count == 32)
        let url = try #require(await server.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: url).batch([Events.track(messageId: "m")], writeKey: key).status == 200)
        server.signal(SIGTERM)
        let outcome = try await server.finished()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test("Only the first start of a workspace shows the admin token")
    func adminToken() async throws {
        let server = try CommandRun(["serve", "--port", "0", "--data", data, "--write-key", "WK"], token: nil)
        let token = try #require(await server.line(after: "tributary: admin token "))
        #expect(token.count > 40)
        let url = try #require(await server.line(after: "tributary: listening on "))
        #expect(await server.line(after: "tributary: log in at ") == "\(url)/login#\(token)")
        let client = TestClient(url: url, token: token)
        #expect(try await client.get("/api/sources").status == 200)
        let refused = try await CommandRun.finish(
            ["plugin", "list", "--server", url, "--write-key", "WK"], token: nil)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("TRIBUTARY_ADMIN_TOKEN"))
        let list = try await CommandRun.finish(["plugin", "list", "--server", url, "--write-key", "WK"], token: token)
        #expect(list.status == 0)
        server.signal(SIGTERM)
        #expect(try await server.finished().status == 0)

        let again = try CommandRun(["serve", "--port", "0", "--data", data], token: nil)
        let laterURL = try #require(await again.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: laterURL, token: token).get("/api/sources").status == 200)
        let running = try await CommandRun.finish(["token", "reset", "--data", data], token: nil)
        #expect(running.errors.contains("another workspace has the data folder"))
        again.signal(SIGTERM)
        let outcome = try await again.finished()
        #expect(!outcome.output.contains("token"))
        #expect(outcome.output.hasSuffix("tributary: log in at \(laterURL)/login\n"))

        // A token that is in the shell by chance replaces that of the folder, and the start says so.
        let other = try CommandRun(
            ["serve", "--port", "0", "--data", data, "--public-url", "https://stats.example.com/"],
            token: "another-token-of-the-shell")
        let words = try #require(await other.line(after: "tributary: the admin token of TRIBUTARY_ADMIN_TOKEN "))
        #expect(words.hasPrefix("replaced the one of this folder"), "\(words)")
        let lastURL = try #require(await other.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: lastURL, token: token).get("/api/sources").status == 401)
        other.signal(SIGTERM)
        #expect(try await other.finished().output.hasSuffix("tributary: log in at https://stats.example.com/login\n"))

        // A site with the workspace below a path has no page of the workspace.
        let site = try CommandRun(
            ["serve", "--port", "0", "--data", data, "--public-url", "https://example.com/stats"], token: nil)
        let ownURL = try #require(await site.line(after: "tributary: listening on "))
        site.signal(SIGTERM)
        #expect(try await site.finished().output.hasSuffix("tributary: log in at \(ownURL)/login\n"))
    }

    @Test("The address of the login page is one that a browser on this machine can open")
    func loginAddress() {
        func url(_ host: String, isSecure: Bool = false) -> String {
            Workspace.Address(host: host, port: 8484, isSecure: isSecure).localURL
        }
        #expect(url("0.0.0.0") == "http://127.0.0.1:8484")
        #expect(url("::") == "http://127.0.0.1:8484")
        #expect(url("0.0.0.0", isSecure: true) == "https://localhost:8484")
        #expect(url("::1") == "http://[::1]:8484")
        #expect(url("10.0.0.5", isSecure: true) == "https://10.0.0.5:8484")
        #expect(Workspace.Address(host: "0.0.0.0", port: 8484, isSecure: false).url == "http://0.0.0.0:8484")
    }

    @Test("A token reset replaces a lost admin token")
    func tokenReset() async throws {
        let first = try serve("--write-key", "WK")
        _ = try #require(await first.line(after: "tributary: listening on "))
        first.signal(SIGTERM)
        _ = try await first.finished()
        let reset = try await CommandRun.finish(["token", "reset", "--data", data], token: nil)
        #expect(reset.status == 0)
        let token = reset.output.trimmingCharacters(in: .newlines)
        let file = folder.path + "/token"
        try reset.output.write(toFile: file, atomically: true, encoding: .utf8)
        let second = try CommandRun(["serve", "--port", "0", "--data", data], token: nil)
        let url = try #require(await second.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: url).get("/api/sources").status == 401)
        #expect(try await TestClient(url: url, token: token).get("/api/sources").status == 200)
        let list = try await CommandRun.finish(
            ["plugin", "list", "--server", url, "--write-key", "WK", "--token-file", file], token: nil)
        #expect(list.status == 0)
        second.signal(SIGTERM)
        _ = try await second.finished()
        let nowhere = try await CommandRun.finish(["token", "reset", "--data", folder.path + "/none"], token: nil)
        #expect(nowhere.status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        let short = try await CommandRun.finish(["serve", "--port", "0", "--data", data], token: "short")
        #expect(short.errors.hasPrefix("Error: an admin token has 20 to 512 characters"))
    }

    @Test("A port in use is reported in one line")
    func portInUse() async throws {
        let server = try serve("--write-key", "WK")
        let url = try #require(await server.line(after: "tributary: listening on "))
        let port = try #require(URL(string: url)?.port)
        let second = try await CommandRun.finish(["serve", "--port", "\(port)", "--data", folder.path + "/other"])
        #expect(second.status == 1)
        #expect(second.errors == "Error: port \(port) on 127.0.0.1 is in use\n")
        server.signal(SIGINT)
        #expect(try await server.finished().status == 0)
    }

    @Test("A workspace that cannot listen shows no admin token, and the next start shows a valid token")
    func portInUseMakesNoToken() async throws {
        let server = try serve("--write-key", "WK")
        let url = try #require(await server.line(after: "tributary: listening on "))
        let port = try #require(URL(string: url)?.port)
        let other = folder.path + "/other"
        let refused = try await CommandRun.finish(["serve", "--port", "\(port)", "--data", other], token: nil)
        #expect(refused.status == 1)
        #expect(!refused.output.contains("token"), "\(refused.output)")
        let second = try CommandRun(["serve", "--port", "0", "--data", other], token: nil)
        let token = try #require(await second.line(after: "tributary: admin token "))
        let otherURL = try #require(await second.line(after: "tributary: listening on "))
        #expect(try await TestClient(url: otherURL, token: token).get("/api/sources").status == 200)
        for process in [server, second] {
            process.signal(SIGTERM)
            _ = try await process.finished()
        }
    }

    @Test("A start with an unusable folder, host, key or option fails")
    func startFaults() async throws {
        try "".write(toFile: folder.path + "/file", atomically: true, encoding: .utf8)
        let path = folder.path + "/file/data"
        let unwritable = try await CommandRun.finish(["serve", "--port", "0", "--data", path])
        #expect(unwritable.status == 1)
        #expect(unwritable.errors.hasPrefix("Error: the data folder \(path) cannot be made"))
        #expect(unwritable.errors.count { $0 == "\n" } == 1)
        let host = try await CommandRun.finish(["serve", "--port", "0", "--data", data, "--host", "192.0.2.1"])
        #expect(host.status == 1)
        #expect(host.errors.hasPrefix("Error: cannot listen on 192.0.2.1, port 0: "))
        let key = try await CommandRun.finish(["serve", "--port", "0", "--data", data, "--write-key", "a b"])
        #expect(key.status == 1)
        let option = try await CommandRun.finish(["serve", "--nothing"])
        #expect(option.status == 64)
        #expect(option.errors.hasPrefix("Error: Unknown option '--nothing'"))
    }

    @Test(
        "A server that is stopped or killed loses no acknowledged event",
        arguments: [SIGTERM, SIGKILL])
    func acknowledgedEvents(_ signal: Int32) async throws {
        let server = try serve("--write-key", "WK")
        let url = try #require(await server.line(after: "tributary: listening on "))
        let client = TestClient(url: url)
        let acknowledged = await withTaskGroup(of: [String].self) { group in
            for sender in 0..<8 {
                group.addTask { await Self.send(to: client, sender: sender, killing: server, with: signal) }
            }
            return await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        #expect(try await server.finished().status == (signal == SIGTERM ? 0 : SIGKILL))
        #expect(acknowledged.count >= 40)
        let stored = try await TestWorkspace.run(in: TemporaryFolder(path: data)) { workspace async throws in
            var ids: [String] = []
            var next: JSON = 0
            while let after = next.numberValue {
                let page = try await workspace.client.get("/api/events?order=asc&limit=1000&after=\(after)").json
                ids += page["events"]?.elements?.compactMap { $0["messageId"]?.stringValue } ?? []
                next = page["next"] ?? .null
            }
            return ids
        }
        #expect(acknowledged.subtracting(stored).isEmpty)
        #expect(stored.count == Set(stored).count)
    }

    /// Sends until the server is gone, and returns the acknowledged ids; the first sender ends the server.
    private static func send(
        to client: TestClient, sender: Int, killing server: CommandRun, with signal: Int32
    ) async -> [String] {
        var acknowledged: [String] = []
        for number in 0..<10_000 {
            if sender == 0, number == 20 { server.signal(signal) }
            let ids = (0..<2).map { "\(sender)-\(number)-\($0)" }
            guard let answer = try? await client.batch(ids.map { Events.track(messageId: $0) }), answer.status == 200
            else { break }
            acknowledged += ids
        }
        return acknowledged
    }

    @Test("Commands deploy plugins and filters from files and refuse unusable files")
    func deployments() async throws {
        let server = try serve("--write-key", "WK")
        let url = try #require(await server.line(after: "tributary: listening on "))
        let plugin = folder.path + "/plugin.js"
        try "// plugin".write(toFile: plugin, atomically: true, encoding: .utf8)
        let filters = folder.path + "/filters.json"
        try JSON.array([RoutingRulesTests.rule]).description.write(toFile: filters, atomically: true, encoding: .utf8)
        let options = ["--server", url, "--write-key", "WK"]

        let deployed = try await CommandRun.finish(["plugin", "deploy", plugin] + options)
        #expect(deployed.status == 0)
        #expect(deployed.output.hasPrefix("live plugins version 1, 9 bytes, sha256 "))
        #expect(deployed.errors.hasPrefix("warning  \(plugin): it does nothing"), "\(deployed.errors)")
        let filtered = try await CommandRun.finish(["filter", "deploy", filters] + options)
        #expect(filtered.status == 0)
        #expect(filtered.output == "1 rule deployed\n")

        let tried = try await CommandRun.finish(["filter", "deploy", filters, "--dry-run", "--last", "10"] + options)
        #expect(tried.status == 0)
        #expect(
            tried.output == """
                rule 0 (Mixer): 0 dropped, 0 changed, 0 untouched
                Mixer: would drop 0 and change 0 of the last 0 events
                no event is stored for this source yet

                """)
        // The file may also be one rule or a settings document, as for `filter test`.
        for text in [
            RoutingRulesTests.rule.description,
            #"{"middlewareSettings":{"routingRules":[\#(RoutingRulesTests.rule)]}}"#,
        ] {
            let file = folder.path + "/one.json"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let one = try await CommandRun.finish(["filter", "deploy", file] + options)
            #expect(one.output == "1 rule deployed\n", "\(one.errors)")
        }
        #expect(try await TestClient(url: url).get("/api/sources/WK/filters").json == [RoutingRulesTests.rule])
        let unused = try await CommandRun.finish(["filter", "deploy", filters, "--last", "10"] + options)
        #expect(unused.status == 64)

        let refused = try await CommandRun.finish(["filter", "deploy", plugin] + options)
        #expect(refused.status == 1)
        #expect(refused.errors.hasPrefix("Error: \(plugin) is not JSON"), "\(refused.errors)")
        let missing = try await CommandRun.finish(["plugin", "deploy", folder.path + "/none.js"] + options)
        #expect(missing.status == 1)
        server.signal(SIGTERM)
        _ = try await server.finished()
        let nobody = try await CommandRun.finish(["plugin", "deploy", plugin] + options)
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("cannot be reached"))
    }
}
