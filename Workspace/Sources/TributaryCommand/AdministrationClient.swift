import Foundation
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks to the administration of a workspace.
struct AdministrationClient {
    private let source: URL

    init(_ options: ServerOptions) throws(Failure) {
        guard let server = URL(string: options.server), ["http", "https"].contains(server.scheme), server.host != nil
        else { throw Failure("\(options.server) is not an http or https address") }
        source = server.appendingPathComponent("api/sources").appendingPathComponent(options.writeKey)
    }

    /// Sends to a part of the source and returns the answer.
    func send(
        _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data, type: String
    ) async throws -> JSON {
        var address = URLComponents(url: source.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        address?.queryItems = query.isEmpty ? nil : query
        var request = URLRequest(url: address?.url ?? source.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let (data, response) = try await send(request, body)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard let answer = try? JSON.parse([UInt8](data)) else {
            throw Failure("the server's answer is not that of a workspace: status \(status)")
        }
        guard status == 200 else {
            throw Failure("the server refused: \(answer["error"]?.stringValue ?? "status \(status)")")
        }
        return answer
    }

    private func send(_ request: URLRequest, _ body: Data) async throws -> (Data, URLResponse) {
        do {
            return try await URLSession.shared.upload(for: request, from: body)
        } catch {
            throw Failure("\(source.absoluteString) cannot be reached: \(error.localizedDescription)")
        }
    }
}
