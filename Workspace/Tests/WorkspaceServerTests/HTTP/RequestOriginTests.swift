import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The address that settings lead to", .timeLimit(.minutes(30))) struct RequestOriginTests {
    private func settings(
        _ workspace: TestWorkspace, _ headers: [String: String] = [:]
    ) async throws -> (host: String?, answer: PlainAnswer) {
        let answer = try await workspace.client.plain("GET", "/v1/projects/WK/settings", headers: headers)
        let json = try JSON.parse(Array(answer.text.utf8))
        return (json["integrations"]?[Source.cloudName]?["apiHost"]?.stringValue, answer)
    }

    @Test("X-Forwarded-Proto of a stranger is ignored, and the answer is private")
    func stranger() async throws {
        try await TestWorkspace.run { workspace async throws in
            let (host, answer) = try await settings(workspace, ["X-Forwarded-Proto": "https"])
            #expect(host == workspace.client.url + "/v1")
            #expect(answer.header("Cache-Control") == "private, max-age=60")
            #expect(answer.header("Vary") == "Host, X-Forwarded-Proto")
        }
    }

    @Test("X-Forwarded-Proto of a trusted proxy counts, the last of several")
    func proxy() async throws {
        try await TestWorkspace.run(trustedProxies: ["127.0.0.1"]) { workspace async throws in
            let secure = workspace.client.url.replacing("http://", with: "") + "/v1"
            #expect(try await settings(workspace, ["X-Forwarded-Proto": "https"]).host == secure)
            #expect(try await settings(workspace, ["X-Forwarded-Proto": "http, https"]).host == secure)
            let plain = try await settings(workspace, ["X-Forwarded-Proto": "https, http"]).host
            #expect(plain == workspace.client.url + "/v1")
        }
    }

    @Test("--public-url overrides the request, and caches may keep the answer")
    func publicURL() async throws {
        try await TestWorkspace.run(publicURL: "https://Stats.example.com:8443/") { workspace async throws in
            let (host, answer) = try await settings(workspace, ["X-Forwarded-Proto": "http"])
            #expect(host == "stats.example.com:8443/v1")
            #expect(answer.header("Cache-Control") == "public, max-age=60")
            #expect(answer.header("Vary") == nil)
            // The page answers under the public name, and its forms may have this origin.
            let form = "token=\(TestClient.token)"
            let login = try await RawConnection.exchange(
                workspace.client.url,
                """
                POST /login HTTP/1.1\r\nHost: stats.example.com:8443\r\nOrigin: https://stats.example.com:8443\r
                Content-Length: \(form.utf8.count)\r\nConnection: close\r\n\r\n\(form)
                """)
            #expect(PlainAnswer(login).status == 303)
            #expect(PlainAnswer(login).header("Set-Cookie")?.contains("Secure") == true)
        }
    }

    @Test(
        "An invalid public address is refused at the start",
        arguments: [
            "", "stats.example.com", "ftp://a", "https://", "https://u@a", "https://a/?q", "https://a:65536",
            "https://a//", "https://a//b", "https://a/../b", "https://a/./b", "https://a/b?q", "https://a/%2e",
            "https://a/b/;c",
        ])
    func refused(text: String) {
        #expect(throws: WorkspaceError.self) { try PublicURL(text) }
    }

    @Test("Below a path of a site, settings lead to the path", arguments: ["", "/"])
    func path(end: String) async throws {
        try await TestWorkspace.run(publicURL: "https://Example.com/Stats\(end)") { workspace async throws in
            _ = try await workspace.client.put("/api/sources/WK/live-plugins", "// empty")
            let (host, answer) = try await settings(workspace)
            #expect(host == "example.com/Stats/v1")
            let json = try JSON.parse(Array(answer.text.utf8))
            #expect(
                json["edgeFunction"]?["downloadURL"] == "https://example.com/Stats/v1/projects/WK/live-plugins/1.js")
            #expect(answer.header("Cache-Control") == "public, max-age=60")
        }
    }

    @Test("The site above a path gets no page and no administration, and its pages change nothing")
    func site() async throws {
        try await TestWorkspace.run(publicURL: "https://example.com:8443/stats") { workspace async throws in
            for path in ["/", "/login", "/api/events", "/metrics"] {
                let answer = try await RawConnection.exchange(
                    workspace.client.url,
                    "GET \(path) HTTP/1.1\r\nHost: Example.com:8443\r\nConnection: close\r\n\r\n")
                #expect(PlainAnswer(answer).status == 421)
                #expect(answer.contains("https://example.com:8443/stats is for clients"), "\(answer)")
            }
            let health = try await RawConnection.exchange(
                workspace.client.url, "GET /health HTTP/1.1\r\nHost: example.com:8443\r\nConnection: close\r\n\r\n")
            #expect(PlainAnswer(health).status == 200)
            let form = "token=\(TestClient.token)"
            func login(origin: String) async throws -> PlainAnswer {
                PlainAnswer(
                    try await RawConnection.exchange(
                        workspace.client.url,
                        """
                        POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: \(origin)\r
                        Content-Length: \(form.utf8.count)\r\nConnection: close\r\n\r\n\(form)
                        """))
            }
            #expect(try await login(origin: "https://example.com:8443").status == 403)
            // The page has an address of its own, here without https.
            let own = try await login(origin: "http://127.0.0.1")
            #expect(own.status == 303)
            #expect(own.header("Set-Cookie")?.contains("Secure") == false)
        }
    }

    @Test("The host of a site cannot be a name of the administration")
    func allowedSite() async throws {
        await #expect(throws: WorkspaceError.self) {
            try await TestWorkspace.run(
                allowedHosts: ["Example.com"], publicURL: "https://example.com/stats"
            ) { _ async throws in }
        }
    }

    @Test("An address of IPv6 keeps its brackets")
    func six() throws {
        let url = try PublicURL("http://[2001:DB8::1]:80")
        #expect(url.text == "http://[2001:db8::1]:80")
        #expect(url.host == "2001:db8::1")
    }
}
