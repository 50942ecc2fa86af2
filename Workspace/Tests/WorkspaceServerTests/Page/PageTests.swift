import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct PageTests {
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
        let imported = text.matches(of: /(?:from |import\()'(\.[^']+)'/).map { match in
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
                let answer = try await workspace.client.get("/page/v/\(name)")
                #expect(answer.status == 200)
                #expect(answer.text == (try EmbeddedFile.named(name).text))
                let type = try #require(types[(name as NSString).pathExtension])
                #expect(answer.header("Content-Type") == "\(type); charset=utf-8")
                expectPolicy(answer)
            }
        }
    }

    @Test("A browser keeps the files of the version that the document names, and no others")
    func caching() async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            let document = try await workspace.client.get("/explore", headers: ["Cookie": cookie])
            let path = try #require(document.text.firstMatch(of: /src="(\/page\/[^"]+)"/)).1
            #expect(path == "/page/\(PageDocument.version)/places/console.js")
            let file = try await workspace.client.get(String(path))
            #expect(file.header("Cache-Control") == "public, max-age=31536000, immutable")
            let other = try await workspace.client.get("/page/0000/places/console.js")
            #expect(other.header("Cache-Control") == "no-store")
            #expect(other.text == file.text)
        }
    }

    @Test("A document names the modules that its place needs, and no module of another place")
    func preloads() async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            for (path, place) in [("/", "events"), ("/explore", "explore"), ("/live-plugins", "live-plugins")] {
                let document = try await workspace.client.get(path, headers: ["Cookie": cookie])
                let named = document.text.matches(of: /"modulepreload" href="\/page\/[0-9a-f]+\/([^"]+)"/).map {
                    String($0.1)
                }
                #expect(named.contains("places/\(place)-place.js"))
                #expect(named.filter { $0.hasSuffix("-place.js") }.count == 1)
                let needed = try named.flatMap { name in
                    let text = try EmbeddedFile.named(name).text.replacing(/import\('[^']+'\)/, with: "")
                    return Self.loaded(by: name, text)
                }
                #expect(Set(needed).isSubset(of: named))
                #expect(Set(named).count == named.count)
            }
        }
    }

    @Test("Each place has a document and a module")
    func places() {
        for place in LoginTarget.places + ["events"] {
            #expect(EmbeddedFile.all["places/\(place)-place.js"] != nil, "\(place)")
        }
    }

    @Test("Files and answers in JSON are compressed for clients that read gzip")
    func compression() async throws {
        try await TestWorkspace.run { workspace async throws in
            let cookie = try await workspace.client.login()
            for name in 0..<50 { _ = try await workspace.client.put("/api/sources/source-\(name)", "{}") }
            for path in ["/api/sources", "/page/v/styles/place.css"] {
                // This client inflates the answers.
                let short = try await workspace.client.get(path, headers: ["Accept-Encoding": "gzip"])
                #expect(short.header("Content-Encoding") == "gzip")
                #expect(short.header("Vary") == "Accept-Encoding")
                for refusal in ["identity", "gzip;q=0", "br"] {
                    let plain = try await workspace.client.plain(
                        "GET", path, headers: ["Accept-Encoding": refusal, "Cookie": cookie])
                    #expect(plain.header("Content-Encoding") == nil)
                    #expect(plain.header("Content-Length") == "\(short.bytes.count)")
                    #expect(plain.text == short.text)
                }
            }
            let small = try await workspace.client.get("/api/login")
            #expect(small.header("Content-Encoding") == nil)
        }
    }

    @Test(
        "Only files that the page loads are served under /page",
        arguments: [
            "v/index.html", "v/login.html", "v/openapi.json", "v/list.js", "v/events", "v/events/none.js",
            "v/events/index.html", "v/events/..%2Fplaces%2Fconsole.js", "v/..%2Findex.html", "v/events/js",
            "events/list.js",
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
            #expect(
                answer.text.contains("<title>\(path == "/" ? "Tributary" : "Log in · Tributary") workspace</title>"))
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
