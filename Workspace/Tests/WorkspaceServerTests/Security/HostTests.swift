import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Names of a workspace", .timeLimit(.minutes(30))) struct HostTests {
    @Test(
        "Addresses and localhost are always allowed",
        arguments: [
            "127.0.0.1", "127.0.0.1:8484", "[::1]:8484", "10.1.2.3", "LOCALHOST:1", "localhost.", "localhost",
        ])
    func known(authority: String) throws {
        #expect(try AllowedHosts(listening: "0.0.0.0", others: []).allows(authority))
    }

    @Test(
        "Unknown host names are refused",
        arguments: [
            "evil.example", "evil.example:8484", "127.0.0.1.evil.example", "localhost.evil.example", "", ":8484",
            "[::1",
        ])
    func unknown(authority: String) throws {
        #expect(try !AllowedHosts(listening: "127.0.0.1", others: ["stats.example"]).allows(authority))
    }

    @Test("Host names of the operator and the host name of the listener are allowed")
    func named() throws {
        let hosts = try AllowedHosts(listening: "Here.Example", others: ["stats.example"])
        #expect(hosts.allows("here.example:80"))
        #expect(hosts.allows("Stats.Example"))
    }

    @Test(
        "A text that is no name of a host is refused, because it would allow nothing",
        arguments: ["https://stats.example", "stats.example:443", "stats.example/", "a b", "", "\u{E9}.example"])
    func noName(text: String) {
        #expect {
            _ = try AllowedHosts(listening: "127.0.0.1", others: [text])
        } throws: { "\($0)".contains("is no name of a host") }
    }

    @Test("Under an unknown host name only ingest answers")
    func server() async throws {
        try await TestWorkspace.run(allowedHosts: ["stats.example"]) { workspace async throws in
            for path in ["/", "/login", "/api/sources"] {
                #expect(try await status(workspace, path, host: "evil.example") == "421", "\(path)")
            }
            #expect(try await status(workspace, "/login", host: "stats.example") == "200")
            #expect(try await status(workspace, "/v1/projects/WK/settings", host: "evil.example") == "200")
        }
    }

    private func status(_ workspace: TestWorkspace, _ path: String, host: String) async throws -> String {
        let lines = ["Host: \(host)", "Authorization: Bearer \(TestClient.token)", "Connection: close"]
        let answer = try await RawConnection.exchange(
            workspace.client.url, "GET \(path) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n")
        return String(answer.split(separator: " ").dropFirst().first ?? "")
    }
}
