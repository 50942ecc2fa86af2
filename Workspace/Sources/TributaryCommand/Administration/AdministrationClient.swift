import Foundation
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks to the administration of a workspace.
struct AdministrationClient {
    private let root: URL
    private let token: String?

    /// Paths are below that of the source.
    init(_ options: SourceOptions) throws(Failure) {
        self = try AdministrationClient(options.server, path: "api/sources/\(options.writeKey)")
    }

    /// - Parameter path: what comes before every path.
    init(_ options: ServerOptions, path: String = "") throws(Failure) {
        guard let server = URL(string: options.server), ["http", "https"].contains(server.scheme), server.host != nil
        else { throw Failure("\(options.server) is not an http or https address") }
        token = try TokenSource.token(file: options.tokenFile)
        root = path.isEmpty ? server : server.appendingPathComponent(path)
    }

    /// Sends to a part of the source and returns the answer.
    func send(
        _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data, type: String,
        headers: [String: String] = [:]
    ) async throws -> JSON {
        var request = request(method, path, query)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await answer { [request] in try await URLSession.shared.upload(for: request, from: body) }
    }

    /// Reads a part of the source.
    func get(_ path: String, query: [URLQueryItem] = []) async throws -> JSON {
        let request = request("GET", path, query)
        return try await answer { try await URLSession.shared.data(for: request) }
    }

    /// Reads something that is no JSON.
    func data(_ path: String) async throws -> Data {
        let request = request("GET", path, [])
        let (data, response) = try await reaching { try await URLSession.shared.data(for: request) }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Failure("the server refused \(path): status \(status)") }
        return data
    }

    /// Takes a part of the source away.
    func delete(_ path: String) async throws -> JSON {
        let request = request("DELETE", path, [])
        return try await answer { try await URLSession.shared.data(for: request) }
    }

    /// Takes one of several things away, whatever signs its name has.
    func delete(_ path: String, named name: String) async throws -> JSON {
        let request = request("DELETE", path, [], last: name)
        return try await answer { try await URLSession.shared.data(for: request) }
    }

    private func request(
        _ method: String, _ path: String, _ query: [URLQueryItem], last name: String? = nil
    ) -> URLRequest {
        var address = URLComponents(url: root.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        if let name {
            let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
            address?.percentEncodedPath += "/" + (name.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
        }
        address?.queryItems = query.isEmpty ? nil : query
        var request = URLRequest(url: address?.url ?? root.appendingPathComponent(path))
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }

    private func answer(_ exchange: () async throws -> (Data, URLResponse)) async throws -> JSON {
        let (data, response) = try await reaching(exchange)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard let answer = try? JSON.parse([UInt8](data)) else {
            throw Failure("the server's answer is not that of a workspace: status \(status)")
        }
        guard status != 401 else { throw refused }
        guard (200...201).contains(status) else {
            throw Failure("the server refused: \(answer["error"]?.stringValue ?? "status \(status)")")
        }
        return answer
    }

    private var refused: Failure {
        Failure(
            token == nil
                ? "the server wants its admin token: put it into \(TokenSource.variable), or name a --token-file"
                : "the server refused the admin token; `tributary token reset` makes another one")
    }

    private func reaching(
        _ exchange: () async throws -> (Data, URLResponse)
    ) async throws -> (Data, URLResponse) {
        do {
            return try await exchange()
        } catch {
            throw Failure("\(root.absoluteString) cannot be reached: \(error.localizedDescription)")
        }
    }
}
