import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("URLSession as transport, against a real socket")
struct URLSessionTransportTests {
    private func send(
        to server: LoopbackServer, body: String = "{}", deadline: TimeInterval = 10
    ) async throws -> Result<TransportResponse, TransportError> {
        let request = TransportRequest(
            method: "POST", url: try #require(server.url), headers: ["Content-Type": "application/json"],
            body: [UInt8](body.utf8), deadline: deadline)
        let transport = URLSessionTransport()
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
    }

    @Test("a server that is not there is an error at once")
    func refused() async throws {
        let server = try LoopbackServer { _ in nil }
        server.stop()
        let result = try await send(to: server)
        #expect(throws: TransportError.self) { try result.get() }
    }
}
