import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("transports, against a real socket")
struct TransportTests {
    /// The transports of this system.
    enum Kind: CaseIterable, Sendable {
        case urlSession
        #if canImport(CTributaryCurl)
        case curl
        #endif

        func make() -> any Transport {
            switch self {
            case .urlSession: URLSessionTransport()
            #if canImport(CTributaryCurl)
            case .curl: CurlTransport()
            #endif
            }
        }
    }

    private func send(
        to server: LoopbackServer, body: String = "{}", deadline: TimeInterval = 60,
        limit: TransportRequest.AnswerLimit = .whole(1 << 20), over transport: any Transport
    ) async throws -> Result<TransportResponse, TransportError> {
        let request = TransportRequest(
            method: "POST", url: try #require(server.url), headers: ["Content-Type": "application/json"],
            body: [UInt8](body.utf8), deadline: deadline, answerLimit: limit)
        return await withCheckedContinuation { continuation in
            transport.send(request) { continuation.resume(returning: $0) }
        }
    }

    private static func answer(_ status: String, _ headers: String = "", body: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }

    @Test("Request and answer arrive complete", arguments: Kind.allCases)
    func whole(kind: Kind) async throws {
        let server = try LoopbackServer { _ in Self.answer("200 OK", "X-Thing: a\r\n", body: #"{"success":true}"#) }
        defer { server.stop() }
        let response = try await send(to: server, body: #"{"text":"日本"}"#, over: kind.make()).get()
        #expect(response.status == 200)
        #expect(response.headers["x-thing"] == "a")
        #expect(response.body == [UInt8](#"{"success":true}"#.utf8))
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /v1/b HTTP/1.1\r\n"))
        #expect(request.hasSuffix(#"{"text":"日本"}"#))
    }

    @Test(
        "Every status of an answer arrives unchanged, also redirects and challenges",
        arguments: Kind.allCases,
        [
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
    func statuses(kind: Kind, line: String) async throws {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let server = try LoopbackServer { _ in Self.answer(parts[0], parts[1], body: "x") }
        defer { server.stop() }
        let response = try await send(to: server, over: kind.make()).get()
        #expect(response.status == Int(parts[0].prefix(3)))
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.hasSuffix("{}") == true)
    }

    @Test("A large body arrives whole", arguments: Kind.allCases)
    func largeBody(kind: Kind) async throws {
        let server = try LoopbackServer { _ in Self.answer("200 OK") }
        defer { server.stop() }
        let body = String(repeating: "x", count: 499_999) + "y"
        #expect(try await send(to: server, body: body, over: kind.make()).get().status == 200)
        #expect(server.requests.first?.hasSuffix(body) == true)
    }

    @Test("A server that never answers is given up at the deadline", arguments: Kind.allCases)
    func silence(kind: Kind) async throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        let result = try await send(to: server, deadline: 0.3, over: kind.make())
        guard case .failure(let error) = result else {
            Issue.record("there was an answer: \(result)")
            return
        }
        #expect(error.isTimeout)
        await server.connectionEnded()  // no socket is left behind
    }

    @Test("A truncated answer is an error", arguments: Kind.allCases)
    func truncated(kind: Kind) async throws {
        let answers = [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        ]
        for answer in answers {
            let server = try LoopbackServer { _ in answer }
            defer { server.stop() }
            let result = try await send(to: server, over: kind.make())
            #expect(throws: TransportError.self, "\(answer)") { try result.get() }
        }
    }

    @Test("A connection that is reset is an error, not a wait", arguments: Kind.allCases)
    func reset(kind: Kind) async throws {
        for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"] {
            let server = try LoopbackServer(ending: .reset) { _ in answer }
            defer { server.stop() }
            let result = try await send(to: server, over: kind.make())
            #expect(throws: TransportError.self) { try result.get() }
        }
    }

    @Test("An answer before the end of the body ends the request", arguments: Kind.allCases)
    func earlyAnswer(kind: Kind) async throws {
        let server = try LoopbackServer(reading: .head) { _ in Self.answer("413 Payload Too Large") }
        defer { server.stop() }
        let result = try await send(to: server, body: String(repeating: "x", count: 5_000_000), over: kind.make())
        if case .success(let response) = result { #expect(response.status == 413) }
    }

    @Test("An endless answer is read up to the limit", arguments: Kind.allCases)
    func hugeAnswer(kind: Kind) async throws {
        let huge = String(repeating: "x", count: 3_000_000)
        let server = try LoopbackServer { _ in Self.answer("200 OK", body: huge) }
        defer { server.stop() }
        let response = try await send(to: server, limit: .beginning(1000), over: kind.make()).get()
        #expect(response.status == 200)
        #expect(response.body.count == 1000)
        let result = try await send(to: server, limit: .whole(1000), over: kind.make())
        #expect(throws: TransportError.self) { try result.get() }
        #expect(
            try await send(to: server, limit: .whole(huge.utf8.count), over: kind.make()).get().body.count
                == huge.utf8.count)
    }

    @Test("A connection that the server closed while it was idle is not used again", arguments: Kind.allCases)
    func idleConnection(kind: Kind) async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx" }
        defer { server.stop() }
        let transport = kind.make()
        for _ in 0..<20 {
            #expect(try await send(to: server, over: transport).get().status == 200)
        }
        #expect(server.requests.count == 20)
    }

    @Test("A connection is kept for the next request", arguments: Kind.allCases)
    func keptConnection(kind: Kind) async throws {
        let server = try LoopbackServer(ending: .keepOpen) { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        }
        defer { server.stop() }
        let transport = kind.make()
        for number in 1...20 {
            #expect(try await send(to: server, body: "\(number)", over: transport).get().status == 200)
        }
        #expect(server.requests.map { $0.suffix(2).filter(\.isNumber) } == (1...20).map { "\($0)" })
        // One connection, or a few more when the machine is so slow that a connection counts as idle.
        #expect(server.connections < 10)
    }

    @Test("A request to a missing server fails at once", arguments: Kind.allCases)
    func refused(kind: Kind) async throws {
        let server = try LoopbackServer.refusing()
        defer { server.stop() }
        let result = try await send(to: server, over: kind.make())
        #expect(throws: TransportError.self) { try result.get() }
    }
}
