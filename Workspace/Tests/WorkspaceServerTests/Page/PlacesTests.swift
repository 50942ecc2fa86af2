import Foundation
import NIOCore
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Places of the page", .timeLimit(.minutes(30))) struct PlacesTests {
    @Test("Each place needs a login, which leads back to the place")
    func login() async throws {
        try await TestWorkspace.run { workspace async throws in
            let browser = workspace.client.stranger
            let cookie = try await workspace.client.login()
            for place in LoginTarget.places {
                let stranger = try await browser.plain("GET", "/\(place)?source=WK")
                #expect(stranger.status == 302)
                #expect(stranger.header("Location") == "/login?to=/\(place)%3Fsource%3DWK")
                let answer = try await browser.plain("GET", "/\(place)", headers: ["Cookie": cookie])
                #expect(answer.status == 200)
                #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
            }
            let form = try await browser.form("/login", "token=\(TestClient.token)&to=/audit%3Fof%3DWK")
            #expect(form.status == 303)
            #expect(form.header("Location") == "/audit?of=WK")
        }
    }

    @Test(
        "The address of one event needs a login, which leads back to the event",
        arguments: ["m-1", "a%2Fb%3Fc%23d", "%25", "%E2%80%AE%22'%3C", "a+b", "a=b&c;d"])
    func event(id: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            let stranger = try await workspace.client.stranger.plain("GET", "/events/\(id)?source=WK")
            #expect(stranger.status == 302)
            let login = try #require(stranger.header("Location"))
            #expect(login.hasPrefix("/login?to=/events/"))
            let to = login.dropFirst("/login?to=".count)
            let form = try await workspace.client.stranger.form("/login", "token=\(TestClient.token)&to=\(to)")
            #expect(form.status == 303)
            #expect(form.header("Location") == "/events/\(id)?source=WK")
            let answer = try await workspace.client.stranger.plain(
                "GET", "/events/\(id)?source=WK", headers: ["Cookie": cookie])
            #expect(answer.status == 200)
            #expect(answer.text.contains("places/events-place.js"))
        }
    }

    @Test("A login leads back to a view of the events", arguments: ["/?event=m-1", "/?where=properties.total%3E10"])
    func views(target: String) {
        #expect(LoginTarget(target).address == target)
    }

    @Test(
        "A login leads only to places of the workspace",
        arguments: [
            "https://elsewhere.example", "//elsewhere.example/audit", "/\\elsewhere.example", "/api/events", "audit",
            "/audit/../api", "/events", "/events/", "/events/..", "/events/.?x", "/events/a/b",
            "/events//elsewhere.example",
            "/events/\\elsewhere.example", "/events/" + String(repeating: "x", count: 2_000),
            "/audit?x=\r\nSet-Cookie: a=b", "/audit?" + String(repeating: "x", count: 2_000), "",
        ])
    func foreignTargets(target: String) {
        #expect(LoginTarget(target) == .events)
        #expect(LoginTarget(target).address == "/")
    }

    @Test("A login shows the name and the role of its token")
    func who() async throws {
        try await TestWorkspace.run { workspace async throws in
            let admin = try await workspace.client.get("/api/login").json
            let rights: JSON = [
                "token": .null, "role": "administer", "sources": .null, "personalData": "shown", "endsAt": .null,
            ]
            #expect(admin == rights)
            let body: JSON = ["name": "analyst", "role": "deploy", "endsAt": "2999-12-31"]
            let token = try #require(try await workspace.client.post("/api/tokens", body).json["token"]?.stringValue)
            let cookie = try await workspace.client.login(token)
            let answer = try await workspace.client.stranger.plain("GET", "/api/login", headers: ["Cookie": cookie])
            let own: JSON = [
                "token": "analyst", "role": "deploy", "sources": .null, "personalData": "shown",
                "endsAt": "3000-01-01T00:00:00.000Z",
            ]
            #expect(try JSON.parse(Array(answer.text.utf8)) == own)
        }
    }

    @Test("A document of one machine says that there is no cluster")
    func noCluster() async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            for path in ["/", "/cluster"] {
                let answer = try await workspace.client.stranger.plain("GET", path, headers: ["Cookie": cookie])
                #expect(answer.text.contains(#"<meta name="cluster" content="no">"#))
            }
        }
    }

    @Test("Libraries come from the given folder, and each library has all its files or is left out")
    func libraries() throws {
        let folder = try TemporaryFolder()
        #expect(WebLibraries(folder: folder.path).names == "")
        #expect(WebLibraries(folder: nil).names == "")
        let files = [
            "codemirror/lib/codemirror.css", "codemirror/lib/codemirror.js", "codemirror/mode/javascript/javascript.js",
            "codemirror/addon/edit/matchbrackets.js", "codemirror/addon/hint/show-hint.css",
            "codemirror/addon/hint/show-hint.js", "codemirror/mode/sql/sql.js",
        ]
        for file in files {
            #expect(WebLibraries(folder: folder.path).names == "")
            let url = URL(filePath: folder.path).appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.utf8).write(to: url)
        }
        let libraries = WebLibraries(folder: folder.path)
        #expect(libraries.names == "codemirror")
        #expect(String(buffer: try libraries.named("javascript.js").content.plain) == files[2])
        #expect(try libraries.named("codemirror.css").type == "text/css")
        let chart = URL(filePath: folder.path).appending(path: "chart.js/chart.min.js")
        try FileManager.default.createDirectory(
            at: chart.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("chart".utf8).write(to: chart)
        let more = WebLibraries(folder: folder.path)
        #expect(more.names == "chart.js codemirror")
        #expect(more.version != libraries.version)
        #expect(String(buffer: try more.named("chart.js").content.plain) == "chart")
        for name in ["../lib/codemirror.js", "codemirror/lib/codemirror.js", "passwd", ""] {
            #expect(throws: Refusal.self, "\(name)") { try libraries.named(name) }
        }
    }
}
