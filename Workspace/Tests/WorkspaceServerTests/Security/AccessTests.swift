import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Access to the administration", .timeLimit(.minutes(30))) struct AccessTests {
    /// The list has one path of each kind of route; every spelling of a path passes the same guard.
    static let administration = [
        "/api/sources", "/api/events", "/api/stats", "/api/stream", "/api/rejected", "/api/drops",
        "/api/sources/WK/filters", "/api/sources/WK/live-plugins", "//api/events", "/api//events", "/api/events/",
    ]

    @Test(
        "Without a token no spelling of a path reaches the administration", arguments: administration)
    func stranger(path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.stranger.get(path)
            #expect(answer.status == 401)
            #expect(answer.header("WWW-Authenticate") == "Bearer")
            #expect(try answer.json["error"] == "a token is needed: Authorization: Bearer TOKEN")
            #expect(answer.header("Access-Control-Allow-Origin") == nil)
            let wrong = try await workspace.client.stranger.get(
                path, headers: ["Authorization": "Bearer \(TestClient.token)x"])
            #expect(wrong.status == 401)
            let writeKey = try await workspace.client.stranger.get(path, headers: ["Authorization": "Basic V0s6"])
            #expect(writeKey.status == 401)
        }
    }

    @Test("Without a token nothing can be changed")
    func strangerChanges() async throws {
        try await TestWorkspace.run { workspace async throws in
            let stranger = workspace.client.stranger
            #expect(try await stranger.put("/api/sources/NEW", "{}").status == 401)
            #expect(try await stranger.put("/api/sources/WK/filters", "[]").status == 401)
            #expect(try await stranger.put("/api/sources/WK/live-plugins", "// one").status == 401)
            let sources = try await workspace.client.get("/api/sources").json["sources"]?.elements
            #expect(sources?.compactMap { $0["writeKey"]?.stringValue } == ["WK"])
            #expect(sources?.first?["livePlugins"] == .null)
        }
    }

    @Test("A write key can send events and read settings without a token")
    func ingest() async throws {
        try await TestWorkspace.run { workspace async throws in
            let app = workspace.client.stranger
            #expect(try await app.batch([Events.track(messageId: "m")]).status == 200)
            #expect(try await app.get("/v1/projects/WK/settings").status == 200)
            #expect(try await app.get("/v1/health").status == 200)
        }
    }

    @Test("A login on the page opens the administration until the logout")
    func login() async throws {
        try await TestWorkspace.run { workspace async throws in
            let browser = workspace.client.stranger
            let before = try await browser.plain("GET", "/")
            #expect(before.status == 302)
            #expect(before.header("Location") == "/login")
            let wrong = try await browser.form("/login", "token=something-else-entirely")
            #expect(wrong.status == 401)
            #expect(wrong.text.contains("That is no valid token of this workspace."))
            #expect(wrong.header("Set-Cookie") == nil)
            // A pasted token has a space before it and a line break behind it.
            let right = try await browser.form("/login", "token=+\(TestClient.token)%0A")
            #expect(right.status == 303)
            #expect(right.header("Location") == "/")
            let cookie = try #require(right.header("Set-Cookie"))
            for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
            #expect(!cookie.contains("Secure"))
            let sent = ["Cookie": String(cookie.prefix { $0 != ";" })]
            #expect(try await browser.get("/", headers: sent).status == 200)
            #expect(try await browser.get("/api/sources", headers: sent).status == 200)
            let out = try await browser.form("/logout", "", headers: sent)
            #expect(out.status == 303)
            #expect(out.header("Set-Cookie")?.contains("Max-Age=0") == true)
            #expect(try await browser.get("/api/sources", headers: sent).status == 401)
        }
    }

    @Test("Behind a trusted proxy with https the cookie is Secure")
    func secureCookie() async throws {
        try await TestWorkspace.run(trustedProxies: ["127.0.0.1"]) { workspace async throws in
            let answer = try await workspace.client.stranger.form(
                "/login", "token=\(TestClient.token)", headers: ["X-Forwarded-Proto": "https"])
            #expect(answer.header("Set-Cookie")?.contains("Secure") == true)
        }
    }

    @Test("A login ends after twelve hours without use")
    func expiry() async throws {
        let clock = TestClock()
        let environment = WorkspaceEnvironment(now: { clock.now }, makeWriteKey: { "K" })
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let browser = workspace.client.stranger
            let cookie = ["Cookie": try await browser.login()]
            for _ in 0..<3 {
                clock.advance(by: Limits.loginMilliseconds - 1)
                #expect(try await browser.get("/api/sources", headers: cookie).status == 200)
            }
            clock.advance(by: Limits.loginMilliseconds)
            #expect(try await browser.get("/api/sources", headers: cookie).status == 401)
        }
    }

    @Test("A login ends after 30 days, however often it is used")
    func longest() async throws {
        let clock = TestClock()
        let environment = WorkspaceEnvironment(now: { clock.now }, makeWriteKey: { "K" })
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let browser = workspace.client.stranger
            let secret = try await browser.login()
            let step = Limits.loginMilliseconds / 2
            for _ in 1..<(Limits.longestLoginMilliseconds / step) {
                clock.advance(by: step)
                #expect(try await browser.get("/api/sources", headers: ["Cookie": secret]).status == 200)
            }
            // A secret with a later time is another secret, and not valid.
            let parts = secret.split(separator: "=", maxSplits: 1)
            let text = try #require(parts.last.map(String.init))
            let madeAt = try #require(LoginSecret(text)?.madeAt)
            let younger = text.replacing("\(madeAt).", with: "\(clock.now).")
            #expect(try await browser.get("/api/sources", headers: ["Cookie": "\(parts[0])=\(younger)"]).status == 401)
            clock.advance(by: step)
            #expect(try await browser.get("/api/sources", headers: ["Cookie": secret]).status == 401)
        }
    }

    @Test("A change with a login from a page of another origin is refused")
    func foreignOrigin() async throws {
        try await TestWorkspace.run { workspace async throws in
            let browser = workspace.client.stranger
            let cookie = try await browser.login()
            let own = String(workspace.client.url)
            for (origin, status) in [("https://evil.example", 403), ("null", 403), (own, 201)] {
                let answer = try await browser.put(
                    "/api/sources/S-\(status)", "{}", headers: ["Cookie": cookie, "Origin": origin])
                #expect(answer.status == status)
            }
        }
    }

    @Test("A page of another origin can neither log in nor log out", arguments: ["/login", "/logout"])
    func foreignForm(path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let browser = workspace.client.stranger
            let cookie = ["Cookie": try await browser.login()]
            for origin in ["https://evil.example", "null"] {
                let form = "token=\(TestClient.token)"
                let headers = cookie.merging(["Origin": origin]) { $1 }
                let answer = try await browser.form(path, form, headers: headers)
                #expect(answer.status == 403)
                #expect(answer.header("Set-Cookie") == nil)
            }
            #expect(try await browser.get("/api/sources", headers: cookie).status == 200)
            let own = cookie.merging(["Origin": workspace.client.url]) { $1 }
            #expect(try await browser.form(path, "token=\(TestClient.token)", headers: own).status == 303)
        }
    }

    @Test("Beyond the limit of logins the login with the longest idle time ends")
    func manyLogins() async throws {
        let clock = TestClock()
        let environment = WorkspaceEnvironment(now: { clock.now }, makeWriteKey: { "K" })
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let browser = workspace.client.stranger
            var cookies: [String] = []
            for _ in 0..<(Limits.logins + 2) {
                clock.advance(by: 1)
                cookies.append(try await browser.login())
            }
            #expect(Set(cookies).count == cookies.count)
            for (index, status) in [(0, 401), (1, 401), (2, 200), (cookies.count - 1, 200)] {
                let answer = try await browser.get("/api/sources", headers: ["Cookie": cookies[index]])
                #expect(answer.status == status, "\(index)")
            }
        }
    }

    @Test("Logins survive a restart, and a new token ends them all")
    func restart() async throws {
        let folder = try TemporaryFolder()
        // Each start has another port, and the name of the cookie contains the port.
        let secret = try await TestWorkspace.run(in: folder) { workspace async throws in
            try await workspace.client.login().split(separator: "=", maxSplits: 1)[1]
        }
        func status() async throws -> Int {
            try await TestWorkspace.run(in: folder) { workspace async throws in
                let port = try #require(URL(string: workspace.client.url)?.port)
                let cookie = ["Cookie": "tributary-session-\(port)=\(secret)"]
                return try await workspace.client.stranger.get("/api/sources", headers: cookie).status
            }
        }
        #expect(try await status() == 200)
        _ = try Workspace.resetAdminToken(dataFolder: folder.path)
        #expect(try await status() == 401)
    }

    @Test("The token is not in the data folder")
    func storedHashed() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { workspace async throws in
            _ = try await workspace.client.get("/api/sources")
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(files.contains("workspace.sqlite"))
        for file in files {
            guard let data = FileManager.default.contents(atPath: folder.path + "/" + file) else { continue }
            #expect(data.range(of: Data(TestClient.token.utf8)) == nil, "\(file)")
        }
    }

    @Test(
        "Tokens that could be guessed or not be sent are refused",
        arguments: ["short", "with a space in it, long", "ümlaut-ümlaut-ümlaut"])
    func badToken(token: String) throws {
        #expect(throws: WorkspaceError.self) { try AdminToken(chosen: token) }
    }
}
