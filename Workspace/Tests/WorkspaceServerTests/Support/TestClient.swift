import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TributaryJSON

/// Speaks HTTP to a workspace under test.
struct TestClient: Sendable {
    struct Answer {
        let status: Int
        let bytes: [UInt8]
        let headers: HTTPHeaders

        var json: JSON { get throws { try JSON.parse(bytes) } }
        var text: String { String(decoding: bytes, as: UTF8.self) }
        func header(_ name: String) -> String? { headers.first(name: name) }
    }

    struct NoAnswer: Error {}

    /// The admin token of a workspace under test unless the test gives another token.
    static let token = "the-token-of-the-tests"

    let url: String
    /// The token that requests to the administration have; nil for a client without a token.
    var token: String? = Self.token

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, body: nil, headers: headers)
    }

    func post(_ path: String, _ body: JSON, headers: [String: String] = [:]) async throws -> Answer {
        try await send("POST", path, body: body.encoded(), headers: headers)
    }

    func put(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send("PUT", path, body: Array(body.utf8), headers: headers)
    }

    func send(
        _ method: String, _ path: String, body: [UInt8]?, headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url + path)
        request.method = HTTPMethod(rawValue: method)
        request.body = body.map { .bytes($0) }
        if let token, path.hasPrefix("/api/") { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        // The client refuses answers that are many times shorter when they are compressed, as those of tests are.
        request.headers.add(name: "Accept-Encoding", value: "identity")
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        // The time limit of the suite ends a request that hangs, so this limit is long.
        let response = try await HTTPClient.shared.execute(request, timeout: .minutes(5))
        let content = try await response.body.collect(upTo: 1 << 30)
        return Answer(
            status: Int(response.status.code), bytes: Array(content.readableBytesView), headers: response.headers)
    }
}

extension TestClient {
    /// Logs in on the page; returns the cookie that a browser sends from then on.
    func login(_ token: String = Self.token) async throws -> String {
        let answer = try await form("/login", "token=\(token)")
        guard answer.status == 303, let cookie = answer.header("Set-Cookie")?.split(separator: ";").first else {
            throw NoAnswer()
        }
        return String(cookie)
    }

    /// Sends a form as the page does.
    func form(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> PlainAnswer {
        try await plain(
            "POST", path, body,
            headers: headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 })
    }

    /// Sends a request without following redirects, which `URLSession` does.
    func plain(
        _ method: String, _ path: String, _ body: String = "", headers: [String: String] = [:]
    ) async throws -> PlainAnswer {
        let own = ["Host": String(url.dropFirst("http://".count)), "Connection": "close"]
        let lines = headers.merging(own) { $1 }.map { "\($0): \($1)\r\n" }.sorted().joined()
        return PlainAnswer(
            try await RawConnection.exchange(
                url, "\(method) \(path) HTTP/1.1\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"))
    }

    /// The same client without the token.
    var stranger: TestClient {
        var client = self
        client.token = nil
        return client
    }

    /// Sends one batch.
    @discardableResult
    func batch(_ events: [JSON], writeKey: String = "WK") async throws -> Answer {
        try await post("/v1/b", ["batch": .array(events), "writeKey": .string(writeKey)])
    }

    /// The stored events, oldest first.
    func events() async throws -> [JSON] {
        try await get("/api/events?order=asc&limit=1000").json["events"]?.elements ?? []
    }
}
