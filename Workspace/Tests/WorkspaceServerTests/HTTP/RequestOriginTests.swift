import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("The address that settings lead to", .timeLimit(.minutes(2))) struct RequestOriginTests {
    private func settings(
        _ workspace: TestWorkspace, _ headers: [String: String] = [:]
    ) async throws -> (host: String?, answer: PlainAnswer) {
        let answer = try await workspace.client.plain("GET", "/v1/projects/WK/settings", headers: headers)
        let json = try JSON.parse(Array(answer.text.utf8))
        return (json["integrations"]?[Source.cloudName]?["apiHost"]?.stringValue, answer)
    }

    @Test("a stranger's word about https counts for nothing, and no cache may give the answer to others")
    func stranger() async throws {
        try await TestWorkspace.run { workspace async throws in
            let (host, answer) = try await settings(workspace, ["X-Forwarded-Proto": "https"])
            #expect(host == workspace.client.url + "/v1")
            #expect(answer.header("Cache-Control") == "private, max-age=60")
            #expect(answer.header("Vary") == "Host, X-Forwarded-Proto")
        }
    }

    @Test("a known proxy's word counts, and of several the last one")
    func proxy() async throws {
        try await TestWorkspace.run(trustedProxies: ["127.0.0.1"]) { workspace async throws in
            let secure = workspace.client.url.replacing("http:", with: "https:") + "/v1"
            #expect(try await settings(workspace, ["X-Forwarded-Proto": "https"]).host == secure)
            #expect(try await settings(workspace, ["X-Forwarded-Proto": "http, https"]).host == secure)
            let plain = try await settings(workspace, ["X-Forwarded-Proto": "https, http"]).host
            #expect(plain == workspace.client.url + "/v1")
        }
    }

    @Test("what the operator says counts whatever the request says, and a cache may keep it")
    func publicURL() async throws {
        try await TestWorkspace.run(publicURL: "https://Stats.example.com:8443/") { workspace async throws in
            let (host, answer) = try await settings(workspace, ["X-Forwarded-Proto": "http"])
            #expect(host == "https://stats.example.com:8443/v1")
            #expect(answer.header("Cache-Control") == "public, max-age=60")
            #expect(answer.header("Vary") == nil)
            // The page answers under that name, and its forms may come from there.
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
        "an address that is none is refused at the start",
        arguments: ["", "stats.example.com", "ftp://a", "https://", "https://a/path", "https://u@a", "https://a/?q"])
    func refused(text: String) {
        #expect(throws: WorkspaceError.self) { try PublicURL(text) }
    }

    @Test("an address of IPv6 keeps its brackets")
    func six() throws {
        let url = try PublicURL("http://[2001:DB8::1]:80")
        #expect(url.text == "http://[2001:db8::1]:80")
        #expect(url.host == "2001:db8::1")
    }
}
