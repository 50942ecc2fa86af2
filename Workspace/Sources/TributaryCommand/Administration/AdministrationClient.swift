import Foundation
import TributaryJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks to the administration of a workspace.
struct AdministrationClient {
    /// The server has nothing of that kind.
    struct NotFound: Error, CustomStringConvertible {
        let description: String
    }

    private let root: URL
    private let token: String?

    /// Paths are below that of the source.
    init(_ options: SourceOptions) throws(Failure) {
        self = try AdministrationClient(options.server).below("api/sources", named: options.writeKey)
    }

    init(_ options: ServerOptions) throws(Failure) {
        guard let server = URL(string: options.server), ["http", "https"].contains(server.scheme), server.host != nil
        else { throw Failure("\(options.server) is not an http or https address") }
        token = try TokenSource.token(file: options.tokenFile)
        root = server
    }

    private init(root: URL, token: String?) {
        self.root = root
        self.token = token
    }

    /// Speaks to one of several things, whatever signs its name has. The empty path is the thing itself.
    func below(_ path: String, named name: String) throws(Failure) -> AdministrationClient {
        let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
        var address = URLComponents(url: root.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        address?.percentEncodedPath += "/" + (name.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
        let isFolder = name.allSatisfy { $0 == "." }
        guard !isFolder, let url = address?.url else { throw Failure("\"\(name)\" cannot be part of an address") }
        return AdministrationClient(root: url, token: token)
    }

    /// Sends to a part of the source and returns the answer.
    @discardableResult
    func send(
        _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data, type: String,
        headers: [String: String] = [:]
    ) async throws -> JSON {
        var request = request(method, path, query)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await answer { [request] in try await URLSession.shared.upload(for: request, from: body) }
    }

    /// Sends JSON to a part of the source and returns the answer.
    @discardableResult
    func send(_ method: String, _ path: String, _ json: JSON) async throws -> JSON {
        try await send(method, path, body: Data(json.encoded()), type: "application/json")
    }

    /// Asks a part of the source for something that takes no words.
    @discardableResult
    func post(_ path: String) async throws -> JSON {
        let request = request("POST", path, [])
        return try await answer { try await URLSession.shared.data(for: request) }
    }

    /// Reads a part of the source.
    @discardableResult
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

    /// The event stream, beginning after a sequence; it ends when the connection does.
    func stream(after position: Int64) throws -> AsyncThrowingStream<EventStream.Message, any Error> {
        var request = request("GET", "api/stream", [])
        request.setValue("\(position)", forHTTPHeaderField: "Last-Event-ID")
        // The server sends a sign of life much more often.
        request.timeoutInterval = 60
        return AsyncThrowingStream { [request, refused] stream in
            let parser = Locked(EventStream())
            let reader = AnswerReader(
                head: { response in
                    if response.statusCode == 401 {
                        stream.finish(throwing: EventStream.Refusal(description: refused.description))
                    } else if response.statusCode != 200 {
                        stream.finish(
                            throwing: EventStream.Interruption(
                                description: "the server answered \(response.statusCode)"))
                    }
                },
                piece: { data in for message in parser.with({ $0.messages(data) }) { stream.yield(message) } },
                end: { error in
                    let reason = error?.localizedDescription ?? "the connection was closed"
                    stream.finish(throwing: EventStream.Interruption(description: reason))
                })
            URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil).dataTask(with: request)
                .resume()
        }
    }

    /// Gives a long answer piece by piece to who takes it, and ends when all of it was taken.
    func read(
        _ path: String, query: [URLQueryItem], _ take: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let request = request("GET", path, query)
        let failure = Locked<(any Error)?>(nil)
        let problem = Locked((status: 0, text: Data()))
        let (ends, end) = AsyncStream.makeStream(of: String?.self)
        let reader = AnswerReader(
            head: { response in problem.with { $0.status = response.statusCode } },
            piece: { data in
                guard problem.with({ $0.status }) == 200 else { return problem.with { $0.text += data } }
                guard failure.with({ $0 == nil }) else { return }
                do { try take(data) } catch { failure.with { $0 = error } }
            },
            end: { error in
                end.yield(error?.localizedDescription)
                end.finish()
            })
        URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil).dataTask(with: request).resume()
        for await ending in ends {
            if let ending { throw Failure("the answer of \(root.absoluteString) broke off: \(ending)") }
        }
        if let failure = failure.with({ $0 }) { throw failure }
        let (status, text) = problem.with { $0 }
        guard status != 401 else { throw refused }
        guard status == 200 else {
            let reason = (try? JSON.parse([UInt8](text)))?["error"]?.stringValue
            throw Failure("the server refused: \(reason ?? "status \(status)")")
        }
    }

    /// Takes a part of the source away.
    @discardableResult
    func delete(_ path: String) async throws -> JSON {
        let request = request("DELETE", path, [])
        return try await answer { try await URLSession.shared.data(for: request) }
    }

    /// Takes one of several things away, whatever signs its name has.
    @discardableResult
    func delete(_ path: String, named name: String) async throws -> JSON {
        try await below(path, named: name).delete("")
    }

    private func request(_ method: String, _ path: String, _ query: [URLQueryItem]) -> URLRequest {
        let place = path.isEmpty ? root : root.appendingPathComponent(path)
        var address = URLComponents(url: place, resolvingAgainstBaseURL: false)
        address?.queryItems = query.isEmpty ? nil : query
        // Left alone by Foundation, and a space to who reads forms.
        let encoded = address?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        address?.percentEncodedQuery = encoded
        var request = URLRequest(url: address?.url ?? place)
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
        guard status != 404 else {
            throw NotFound(description: "the server refused: \(answer["error"]?.stringValue ?? "status 404")")
        }
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
