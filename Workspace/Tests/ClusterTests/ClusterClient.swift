import Foundation
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

    func bytes(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> (status: Int, body: [UInt8]) {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(ClusterServer.token)", forHTTPHeaderField: "Authorization")
        if let body {
            request.httpBody = Data(body.encoded())
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, [UInt8](data))
    }
}
