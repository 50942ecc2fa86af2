import Foundation
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks HTTP to a workspace under test.
struct TestClient: Sendable {
    struct Answer {
        let status: Int
        let bytes: [UInt8]
        let response: HTTPURLResponse

        var json: JSON { get throws { try JSON.parse(bytes) } }
        var text: String { String(decoding: bytes, as: UTF8.self) }
        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    }

    struct NoAnswer: Error {}

    let url: String

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
        guard let url = URL(string: url + path) else { throw NoAnswer() }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await Self.session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw NoAnswer() }
        return Answer(status: response.statusCode, bytes: [UInt8](data), response: response)
    }

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpMaximumConnectionsPerHost = 16
        return URLSession(configuration: configuration)
    }()
}

extension TestClient {
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
