import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("URLSession as transport, against a real socket")
struct URLSessionTransportTests {
    private func send(
        to server: LoopbackServer, body: String = "{}", deadline: TimeInterval = 10,
        limit: TransportRequest.AnswerLimit = .whole(1 << 20), over transport: URLSessionTransport? = nil
    ) async throws -> Result<TransportResponse, TransportError> {
        let request = TransportRequest(
            method: "POST", url: try #require(server.url), headers: ["Content-Type": "application/json"],
            body: [UInt8](body.utf8), deadline: deadline, answerLimit: limit)
        let transport = transport ?? URLSessionTransport()
        return await withCheckedContinuation { continuation in
            transport.send(request) { continuation.resume(returning: $0) }
        }
    }

    private static func answer(_ status: String, _ headers: String = "", body: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }

    @Test("request and answer go through whole")
    func whole() async throws {
        let server = try LoopbackServer { _ in Self.answer("200 OK", "X-Thing: a\r\n", body: #"{"success":true}"#) }
        defer { server.stop() }
        let response = try await send(to: server, body: #"{"text":"日本"}"#).get()
        #expect(response.status == 200)
        #expect(response.headers["x-thing"] == "a")
        #expect(response.body == [UInt8](#"{"success":true}"#.utf8))
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /v1/b HTTP/1.1\r\n"))
        #expect(request.hasSuffix(#"{"text":"日本"}"#))
    }

    @Test(
        "every status arrives as it is, redirects and challenges too",
        arguments: [
            "302 Found|Location: http://127.0.0.1:1/elsewhere\r\n", "307 Temporary Redirect|Location: /other\r\n",
            "401 Unauthorized|WWW-Authenticate: Basic realm=\"x\"\r\n",
            "401 Unauthorized|WWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n",
            "401 Unauthorized|WWW-Authenticate: Bearer\r\n", "401 Unauthorized|", "400 Bad Request|",
            "401 Unauthorized|WWW-Authenticate: Negotiate\r\n", "401 Unauthorized|WWW-Authenticate: NTLM\r\n",
            "401 Unauthorized|WWW-Authenticate: Negotiate\r\nWWW-Authenticate: Basic realm=\"x\"\r\n",
            "301 Moved Permanently|Location: /other\r\n", "303 See Other|Location: /other\r\n",
            "308 Permanent Redirect|Location: /other\r\n", "304 Not Modified|", "204 No Content|",
            "407 Proxy Authentication Required|Proxy-Authenticate: Basic realm=\"x\"\r\n",
            "413 Payload Too Large|", "429 Too Many Requests|Retry-After: 7\r\n", "500 Internal Server Error|",
            "503 Service Unavailable|",
        ])
    func statuses(line: String) async throws {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let server = try LoopbackServer { _ in Self.answer(parts[0], parts[1], body: "x") }
        defer { server.stop() }
        let response = try await send(to: server).get()
        #expect(response.status == Int(parts[0].prefix(3)))
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.hasSuffix("{}") == true)
    }

    @Test("a large body arrives whole")
    func largeBody() async throws {
        let server = try LoopbackServer { _ in Self.answer("200 OK") }
        defer { server.stop() }
        let body = String(repeating: "x", count: 499_999) + "y"
        #expect(try await send(to: server, body: body).get().status == 200)
        #expect(server.requests.first?.hasSuffix(body) == true)
    }

    @Test("a server that never answers is given up at the deadline")
    func silence() async throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        let result = try await send(to: server, deadline: 0.3)
        guard case .failure(let error) = result else {
            Issue.record("there was an answer: \(result)")
            return
        }
        #expect(error.isTimeout)
        await server.connectionEnded()  // no socket is left behind
    }

    @Test("an answer that is cut off is none")
    func truncated() async throws {
        let answers = [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        ]
        for answer in answers {
            let server = try LoopbackServer { _ in answer }
            defer { server.stop() }
            let result = try await send(to: server)
            #expect(throws: TransportError.self, "\(answer)") { try result.get() }
        }
    }

    @Test("a connection that is reset is an error, not a wait")
    func reset() async throws {
        for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"] {
            let server = try LoopbackServer(ending: .reset) { _ in answer }
            defer { server.stop() }
            let result = try await send(to: server)
            #expect(throws: TransportError.self) { try result.get() }
        }
    }

    @Test("an answer before the body was read ends the request, one way or the other")
    func earlyAnswer() async throws {
        let server = try LoopbackServer(reading: .head) { _ in Self.answer("413 Payload Too Large") }
        defer { server.stop() }
        let result = try await send(to: server, body: String(repeating: "x", count: 5_000_000))
        if case .success(let response) = result { #expect(response.status == 413) }
    }

    @Test("of an answer without end, as much is read as is wanted")
    func hugeAnswer() async throws {
        let huge = String(repeating: "x", count: 3_000_000)
        let server = try LoopbackServer { _ in Self.answer("200 OK", body: huge) }
        defer { server.stop() }
        let response = try await send(to: server, limit: .beginning(1000)).get()
        #expect(response.status == 200)
        #expect(response.body.count == 1000)
        let result = try await send(to: server, limit: .whole(1000))
        #expect(throws: TransportError.self) { try result.get() }
        #expect(try await send(to: server, limit: .whole(huge.utf8.count)).get().body.count == huge.utf8.count)
    }

    @Test("a connection that the server closed while it was idle is not used again")
    func idleConnection() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" }
        defer { server.stop() }
        let transport = URLSessionTransport()
        for _ in 0..<20 {
            #expect(try await send(to: server, over: transport).get().status == 200)
        }
        #expect(server.requests.count == 20)
    }

    @Test("a connection is kept for the next request")
    func keptConnection() async throws {
        let server = try LoopbackServer(ending: .keepOpen) { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        for number in 1...20 {
            #expect(try await send(to: server, body: "\(number)", over: transport).get().status == 200)
        }
        #expect(server.requests.map { $0.suffix(2).filter(\.isNumber) } == (1...20).map { "\($0)" })
    }

    @Test("a server that is not there is an error at once")
    func refused() async throws {
        let server = try LoopbackServer { _ in nil }
        server.stop()
        let result = try await send(to: server)
        #expect(throws: TransportError.self) { try result.get() }
    }
}
