import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(2))) struct PageTests {
    /// The folder `Workspace`.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    /// The files on disk, by the names that the program has for them.
    private static func filesOnDisk() throws -> [String: URL] {
        let page = folder.appending(path: "Page")
        var files = [
            "openapi.json": folder.appending(path: "OpenAPI/openapi.json"),
            "forms/liveplugins.d.ts": folder.appending(path: "../Sources/AnalyticsLive/JavaScript/liveplugins.d.ts"),
        ]
        for name in try FileManager.default.subpathsOfDirectory(atPath: page.path) where name.contains(".") {
            files[name] = page.appending(path: name)
        }
        return files
    }

    /// The files of the page that a file of it loads: a document by their addresses, a module from its folder or another one.
    private static func loaded(by name: String, _ text: String) -> [String] {
        let folder = name.split(separator: "/").first ?? ""
        let imported = text.matches(of: /from '(\.[^']+)'/).map { match in
            match.1.hasPrefix("../") ? String(match.1.dropFirst(3)) : "\(folder)/\(match.1.dropFirst(2))"
        }
        return imported + text.matches(of: /"\/page\/([\w.\/\-]+)"/).map { String($0.1) }
    }

    @Test("The program holds every file of the page, and the description of the API, as they are on disk")
    func embeddedFiles() throws {
        let files = try Self.filesOnDisk()
        #expect(Set(EmbeddedFile.all.keys) == Set(files.keys))
        for (name, file) in files {
            let embedded = try EmbeddedFile.named(name)
            #expect(embedded.text == String(decoding: try Data(contentsOf: file), as: UTF8.self), "\(name)")
        }
    }

    @Test("The page loads only files that the server serves with their type and policy")
    func files() async throws {
        try await TestWorkspace.run { workspace async throws in
            var loaded = Set<String>()
            for name in EmbeddedFile.all.keys where name != "openapi.json" {
                loaded.formUnion(Self.loaded(by: name, try EmbeddedFile.named(name).text))
            }
            let types = ["css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"]
            #expect(loaded == Set(EmbeddedFile.all.keys.filter { types[($0 as NSString).pathExtension] != nil }))
            for name in loaded {
                let answer = try await workspace.client.get("/page/\(name)")
                #expect(answer.status == 200)
                #expect(answer.text == (try EmbeddedFile.named(name).text))
                let type = try #require(types[(name as NSString).pathExtension])
                #expect(answer.header("Content-Type") == "\(type); charset=utf-8")
                expectPolicy(answer)
            }
        }
    }

    @Test("A browser that already has a file of the page gets status 304")
    func caching() async throws {
        try await TestWorkspace.run { workspace async throws in
            let path = "/page/events/page.js"
            let first = try await workspace.client.get(path)
            #expect(first.header("Cache-Control") == "no-cache")
            let tag = try #require(first.header("ETag"))
            let again = try await workspace.client.get(path, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            #expect(again.bytes.isEmpty)
            #expect(again.header("ETag") == tag)
            let other = try await workspace.client.get(path, headers: ["If-None-Match": "\"other\""])
            #expect(other.status == 200)
        }
    }

    @Test(
        "Only files that the page loads are served under /page",
        arguments: [
            "index.html", "login.html", "openapi.json", "page.js", "events", "events/none.js", "events/index.html",
            "events/..%2Fplaces%2Fplace.js", "..%2Fplace.html", "events/js",
        ])
    func otherFiles(_ name: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get("/page/\(name)")
            #expect(answer.status == 404)
        }
    }

    @Test("The documents of the page are served with their policy", arguments: ["/", "/login"])
    func documents(_ path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            let answer = try await workspace.client.get(path, headers: ["Cookie": cookie])
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
            let file = try EmbeddedFile.named(path == "/" ? "index.html" : "login.html")
            #expect(answer.text == file.text.replacing("<!-- problem -->", with: ""))
            expectPolicy(answer)
        }
    }

    private func expectPolicy(_ answer: TestClient.Answer) {
        #expect(answer.header("Content-Security-Policy")?.hasPrefix("default-src 'self'") == true)
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Referrer-Policy") == "same-origin")
    }

    @Test("Unknown paths and methods get an error in JSON")
    func unknownPaths() async throws {
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
