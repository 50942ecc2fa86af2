import Foundation
import HTTPTypes
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Methods, hosts and versions of HTTP", .timeLimit(.minutes(30))) struct MethodTests {
    private func exchange(_ workspace: TestWorkspace, _ request: String) async throws -> PlainAnswer {
        PlainAnswer(try await RawConnection.exchange(workspace.client.url, request))
    }

    @Test("HEAD is answered as GET without its body, on every path")
    func head() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m")])
            _ = try await client.events()
            let token = ["Authorization": "Bearer \(TestClient.token)"]
            let paths = try Self.pathsOfGET()
            #expect(paths.count > 25)
            for path in paths {
                let head = try await client.plain("HEAD", path, headers: token)
                #expect(head.text.isEmpty, "\(path)")
                // The stream of GET has no end.
                guard path != "/api/stream" else {
                    #expect(head.status == 200)
                    #expect(head.header("Content-Length") == nil)
                    #expect(head.header("Content-Type") == "text/event-stream; charset=utf-8")
                    continue
                }
                let get = try await client.plain("GET", path, headers: token)
                #expect(head.status == get.status, "\(path)")
                // The figures change from one request to the next.
                let isSteady = !path.contains("metrics")
                for name in [
                    "Content-Type", "Content-Length", "Transfer-Encoding", "Location", "Cache-Control", "ETag",
                ]
                where isSteady || name != "Content-Length" {
                    #expect(head.header(name) == get.header(name), "\(path): \(name)")
                }
            }
            let export = try await client.plain("HEAD", "/api/export", headers: token)
            #expect(export.status == 200)
            #expect(export.header("Content-Length") == nil)
            #expect(export.header("Transfer-Encoding") == "chunked")
            #expect(try await client.plain("HEAD", "/none").status == 404)
            #expect(try await client.plain("HEAD", "/logout").status == 405)
            #expect(try await client.stranger.plain("HEAD", "/api/events").status == 401)
        }
    }

    /// Every path that the description of the API has for GET, with names for its parameters.
    private static func pathsOfGET() throws -> [String] {
        let document = try JSON.parse(EmbeddedFile.named("openapi.json").text)
        return (document["paths"]?.objectValue ?? [:]).flatMap { path, item -> [String] in
            guard item["get"] != nil else { return [] }
            let path = path.replacing("{writeKey}", with: "WK").replacing("{messageId}", with: "m")
                .replacing("/page/{version}/{folder}/{file}", with: "/page/v/events/list.js")
                .replacing(#/{[a-zA-Z]+}/#, with: "none")
            let servers = item["servers"]?.elements?.compactMap { $0["url"]?.stringValue } ?? ["/"]
            return servers.map { ($0 == "/" ? "" : $0) + path + (path == "/api/wait-for-event" ? "?timeout=0" : "") }
        }
    }

    @Test("A connection stays open after HEAD")
    func headKeepsConnection() async throws {
        try await TestWorkspace.run { workspace async throws in
            let host = "Host: 127.0.0.1\r\nAuthorization: Bearer \(TestClient.token)\r\n"
            let text = try await RawConnection.exchange(
                workspace.client.url,
                "HEAD /api/export HTTP/1.1\r\n\(host)\r\nGET /health HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
            let answers = text.components(separatedBy: "HTTP/1.1 200 OK\r\n")
            #expect(answers.count == 3)
            #expect(answers.dropFirst().first?.hasSuffix("\r\n\r\n") == true)
            #expect(answers.last?.hasSuffix(#"{"status":"ok"}"#) == true)
        }
    }

    @Test("A method that a path does not have is refused, and the answer names its methods")
    func undeclared() async throws {
        try await TestWorkspace.run { workspace async throws in
            let paths: [(path: String, allow: String)] = [
                ("/", "GET, HEAD"), ("/health", "GET, HEAD"), ("/v1/b", "POST"), ("/login", "GET, HEAD, POST"),
                ("/logout", "POST"), ("/metrics", "GET, HEAD"), ("/api/sources", "GET, HEAD, POST"),
                ("/api/sources/WK/filters", "GET, HEAD, PUT"), ("/v1/projects/WK/settings", "GET, HEAD"),
                ("/events/m", "GET, HEAD"), ("/events/a%2Fb%3F", "GET, HEAD"),
            ]
            let methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PURGE", "PROPFIND"]
            for (path, allow) in paths {
                for method in methods where !allow.split(separator: ", ").contains(Substring(method)) {
                    let answer = try await workspace.client.plain(method, path)
                    #expect(answer.status == 405, "\(method) \(path)")
                    #expect(answer.header("Allow") == allow, "\(method) \(path)")
                }
            }
            for path in ["/none", "/events", "/events/m/n"] {
                #expect(try await workspace.client.plain("DELETE", path).status == 404, "\(path)")
            }
        }
    }

    @Test("Pages of other origins may only send events and read settings")
    func origins() async throws {
        try await TestWorkspace.run { workspace async throws in
            for path in ["/v1/b", "/v1/projects/WK/settings", "/v1/signals"] {
                let answer = try await workspace.client.plain("OPTIONS", path)
                #expect(answer.status == 204, "\(path)")
                #expect(answer.header("Access-Control-Allow-Origin") == "*", "\(path)")
            }
            #expect(
                try await workspace.client.plain("OPTIONS", "/v1/b").header("Access-Control-Allow-Methods")
                    == "POST, OPTIONS")
            for path in [
                "/", "/events/m", "/login", "/logout", "/page/v/events/list.js", "/metrics", "/api/sources",
                "/api/stream", "/none",
            ] {
                for method in ["GET", "OPTIONS", "POST"] {
                    guard (method, path) != ("GET", "/api/stream") else { continue }
                    let answer = try await workspace.client.plain(method, path)
                    #expect(answer.header("Access-Control-Allow-Origin") == nil, "\(method) \(path)")
                    #expect(answer.status != 204, "\(method) \(path)")
                }
            }
        }
    }

    @Test(
        "A request names exactly one host, on every path",
        arguments: ["", "Host: \r\n", "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", "Host: a b\r\n", "Host: a/b\r\n"])
    func host(lines: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            for path in ["/health", "/", "/login", "/v1/projects/WK/settings", "/api/sources", "/none"] {
                let answer = try await exchange(
                    workspace, "GET \(path) HTTP/1.1\r\n\(lines)Connection: close\r\n\r\n")
                #expect(answer.status == 400, "\(path)")
            }
        }
    }

    @Test("HTTP/1.0 needs no host, gets no chunks, and its connection ends with the answer")
    func old() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")])
            _ = try await workspace.client.events()
            let answer = try await exchange(
                workspace, "GET /api/export HTTP/1.0\r\nAuthorization: Bearer \(TestClient.token)\r\n\r\n")
            #expect(answer.status == 200)
            #expect(answer.header("Transfer-Encoding") == nil)
            #expect(try JSON.parse(Array(answer.text.utf8))["messageId"] == "m")
            let health = try await exchange(
                workspace, "GET /health HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n")
            #expect(health.header("Connection") == "close")
            #expect(health.text == #"{"status":"ok"}"#)
        }
    }

    @Test(
        "A body with unreadable chunks is refused with status 400",
        arguments: ["ZZ\r\nabc\r\n0\r\n\r\n", "3\r\nabcXX0\r\n\r\n", "-1\r\n\r\n", "FFFFFFFFFFFFFFFFFF\r\n"])
    func chunks(body: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let lines = "Host: 127.0.0.1\r\nAuthorization: Bearer \(TestClient.token)\r\nTransfer-Encoding: chunked\r\n"
            for start in [
                "POST /v1/b", "POST /v1/track", "POST /login", "PUT /api/sources/WK/filters", "POST /v1/traces",
            ] {
                let answer = try await exchange(workspace, "\(start) HTTP/1.1\r\n\(lines)\r\n\(body)")
                #expect(answer.status == 400, "\(start)")
            }
            #expect(try await workspace.client.get("/health").status == 200)
        }
    }

    @Test("A client that sends Expect: 100-continue gets an answer")
    func goOn() async throws {
        try await TestWorkspace.run { workspace async throws in
            let body = #"{"batch":[],"writeKey":"WK"}"#
            let text = try await RawConnection.exchange(
                workspace.client.url,
                "POST /v1/b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("The metrics token is valid for the metrics only")
    func metricsToken() async throws {
        try await TestWorkspace.run(metricsToken: "a-token-for-the-figures") { workspace async throws in
            let reader = ["Authorization": "Bearer a-token-for-the-figures"]
            let figures = try await workspace.client.stranger.get("/metrics", headers: reader)
            #expect(figures.status == 200)
            for name in ["process_open_fds", "process_resident_memory_bytes", "tributary_disk_free_bytes"] {
                #expect(figures.text.contains("\n\(name) "), "\(name)")
            }
            #expect(try await workspace.client.stranger.get("/api/sources", headers: reader).status == 401)
            let admin = ["Authorization": "Bearer \(TestClient.token)"]
            #expect(try await workspace.client.stranger.get("/metrics", headers: admin).status == 200)
        }
    }
}
