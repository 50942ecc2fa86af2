import Foundation
import ProgramSupport
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks a server as a client and as its administrator.
struct ClusterClient: Sendable {
    let url: String

    /// Sends a batch of events.
    /// - Returns: the status of the answer.
    func send(_ events: [JSON]) async throws -> Int {
        try await ask("POST", "/v1/b", ["writeKey": "WK", "batch": .array(events)]).status
    }

    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> (status: Int, body: JSON) {
        let (status, answer) = try await bytes(method, path, body)
        return (status, (try? JSON.parse(answer)) ?? .null)
    }

    /// Sends a text, such as that of live plugins.
    /// - Returns: the status of the answer.
    func put(_ path: String, text: String) async throws -> Int {
        try await bytes("PUT", path, Data(text.utf8), type: "text/javascript").status
    }

    func bytes(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> (status: Int, body: [UInt8]) {
        try await bytes(method, path, body.map { Data($0.encoded()) }, type: "application/json")
    }

    private func bytes(
        _ method: String, _ path: String, _ body: Data?, type: String
    ) async throws -> (status: Int, body: [UInt8]) {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(ClusterServer.token)", forHTTPHeaderField: "Authorization")
        if let body {
            request.httpBody = body
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.answer(to: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, [UInt8](data))
    }
}
