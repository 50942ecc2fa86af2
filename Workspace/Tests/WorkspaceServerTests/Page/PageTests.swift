import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(2))) struct PageTests {
    @Test(arguments: [
        ("/", "text/html; charset=utf-8", PageSources.indexHTML),
        ("/login", "text/html; charset=utf-8", PageSources.loginHTML.replacing("<!-- problem -->", with: "")),
        ("/login.js", "text/javascript; charset=utf-8", PageSources.loginJS),
        ("/style.css", "text/css; charset=utf-8", PageSources.styleCSS),
        ("/app.js", "text/javascript; charset=utf-8", PageSources.appJS),
    ])
    func thePageIsServedWithItsPolicy(_ path: String, _ type: String, _ text: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            let answer = try await workspace.client.get(path, headers: ["Cookie": cookie])
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == type)
            #expect(answer.text == text)
            #expect(answer.header("Content-Security-Policy")?.hasPrefix("default-src 'self'") == true)
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Referrer-Policy") == "same-origin")
        }
    }

    @Test func unknownPathsAnswerInJSON() async throws {
        try await TestWorkspace.run { workspace async throws in
            let health = try await workspace.client.get("/v1/health")
            #expect(health.status == 200)
            #expect(try health.json == ["status": "ok"])
            #expect(try await workspace.client.get("/favicon.ico").status == 204)
            let unknown = try await workspace.client.get("/nothing")
            #expect(unknown.status == 404)
            #expect(try unknown.json == ["success": false, "error": "there is no GET /nothing"])
            for (method, path, known) in [
                ("POST", "/", "GET, HEAD"), ("DELETE", "/api/events", "GET, HEAD"), ("GET", "/v1/b", "POST"),
            ] {
                let answer = try await workspace.client.send(method, path, body: nil)
                #expect(answer.status == 405)
                #expect(try answer.json["error"] == .string("\(path) takes \(known), not \(method)"))
            }
        }
    }
}
