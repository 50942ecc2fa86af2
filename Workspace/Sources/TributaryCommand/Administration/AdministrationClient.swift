import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import ProgramSupport
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Sends requests to the administration of a workspace.
struct AdministrationClient {
    /// The server answered 404.
    struct NotFound: Error, CustomStringConvertible {
        let description: String
    }

    /// An answer as the server sent it.
    struct Answer: Sendable {
        let status: Int
        let body: Data

        var isSuccess: Bool { (200..<300).contains(status) }
    }

    private let address: ServiceAddress
    private let root: URL
    private let token: String?
    private let connection: Connection

    /// Paths are below that of the source.
    init(_ options: SourceOptions) throws(Failure) {
        self = try AdministrationClient(options.server).below("api/sources", named: options.writeKey)
    }

    init(_ options: ServerOptions) throws(Failure) {
        address = try Connection.address(options.server)
        guard let server = URL(string: address.description) else {
            throw Failure("\(options.server) is not an http or https address")
        }
        token = try TokenSource.token(file: options.tokenFile)
        connection = try Connection(authority: options.certificateAuthority)
        root = server
    }

    private init(address: ServiceAddress, root: URL, token: String?, connection: Connection) {
        (self.address, self.root) = (address, root)
        (self.token, self.connection) = (token, connection)
    }

    /// Sends to one of several resources, whatever characters its name has. The empty path is the resource itself.
    func below(_ path: String, named name: String) throws(Failure) -> AdministrationClient {
        let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
        var address = URLComponents(url: root.appendingPathComponent(path), resolvingAgainstBaseURL: false)
        address?.percentEncodedPath += "/" + (name.addingPercentEncoding(withAllowedCharacters: plain) ?? "")
        let isFolder = name.allSatisfy { $0 == "." }
        guard !isFolder, let url = address?.url else { throw Failure("\"\(name)\" cannot be part of an address") }
        return AdministrationClient(address: self.address, root: url, token: token, connection: connection)
    }

    /// The address of a page of the workspace.
    func address(of path: String) -> String {
        let root = root.absoluteString
        return (root.hasSuffix("/") ? String(root.dropLast()) : root) + path
    }

    /// Sends to a part of the source and returns the answer.
    @discardableResult
    func send(
        _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data, type: String,
        headers: [String: String] = [:]
    ) async throws -> JSON {
        var request = request(method, path, query)
        request.headers.replaceOrAdd(name: "Content-Type", value: type)
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await answer(request)
    }

    /// Sends JSON to a part of the source and returns the answer.
    @discardableResult
    func send(_ method: String, _ path: String, query: [URLQueryItem] = [], _ json: JSON) async throws -> JSON {
        try await send(method, path, query: query, body: Data(json.encoded()), type: "application/json")
    }

    /// Sends a request without a body to a part of the source.
    @discardableResult
    func post(_ path: String, query: [URLQueryItem] = []) async throws -> JSON {
        let request = request("POST", path, query)
        return try await answer(request)
    }

    /// Reads a part of the source.
    @discardableResult
    func get(_ path: String, query: [URLQueryItem] = []) async throws -> JSON {
        let request = request("GET", path, query)
        return try await answer(request)
    }

    /// Sends a request and returns the answer as it came, also that of a refusal.
    func exchange(
        _ method: String, _ path: String, query: [URLQueryItem] = [], body: (content: Data, type: String)? = nil
    ) async throws(Failure) -> Answer {
        var request = request(method, path, query)
        if let body {
            request.headers.replaceOrAdd(name: "Content-Type", value: body.type)
            request.body = .bytes(ByteBuffer(bytes: body.content))
        }
        let (data, status) = try await exchange(request)
        return Answer(status: status, body: data)
    }

    /// Reads an answer that is not JSON.
    func data(_ path: String) async throws -> Data {
        let request = request("GET", path, [])
        let (data, status) = try await exchange(request)
        guard status == 200 else { throw Failure("the server refused \(path): status \(status)") }
        return data
    }

    /// The event stream, beginning after a sequence; it ends when the connection does.
    func stream(after position: Int64) throws -> AsyncThrowingStream<EventStream.Message, any Error> {
        var request = request("GET", "api/stream", [])
        request.headers.add(name: "Last-Event-ID", value: "\(position)")
        return AsyncThrowingStream { [request] stream in
            let task = Task {
                do {
                    try await follow(request, stream)
                    stream.finish(throwing: EventStream.Interruption(description: "the connection was closed"))
                } catch let error as EventStream.Refusal {
                    stream.finish(throwing: error)
                } catch let error as EventStream.Interruption {
                    stream.finish(throwing: error)
                } catch {
                    stream.finish(throwing: EventStream.Interruption(description: Connection.text(error)))
                }
            }
            stream.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(
        _ request: HTTPClientRequest, _ stream: AsyncThrowingStream<EventStream.Message, any Error>.Continuation
    ) async throws {
        let answer = try await connection.open(request)
        guard answer.status != .unauthorized else { throw EventStream.Refusal(description: refused.description) }
        guard answer.status == .ok else {
            throw EventStream.Interruption(description: "the server answered \(answer.status.code)")
        }
        var parser = EventStream()
        for try await piece in answer.body {
            for message in parser.messages(Data(buffer: piece)) { stream.yield(message) }
        }
    }

    /// Gives a long answer to `body` piece by piece; returns when all of it was taken.
    /// - Returns: the headers of the answer.
    @discardableResult
    func read(
        _ path: String, query: [URLQueryItem], _ take: @escaping @Sendable (Data) throws -> Void
    ) async throws -> HTTPHeaders {
        let request = request("GET", path, query)
        let answer: HTTPClientResponse
        do throws(Connection.Failed) {
            answer = try await Waiting.during("the answer of \(address.origin)") {
                () async throws(Connection.Failed) in try await connection.open(request)
            }
        } catch {
            throw unreachable(error)
        }
        guard answer.status != .unauthorized else { throw refused }
        guard answer.status == .ok else {
            // The status alone says that the request was refused; the text is a detail.
            let text = try? await answer.body.collect(upTo: 1 << 20)
            let reason = text.flatMap { try? JSON.parse(Array($0.readableBytesView)) }?["error"]?.stringValue
            throw Failure("the server refused: \(reason ?? "status \(answer.status.code)")")
        }
        var pieces = answer.body.makeAsyncIterator()
        while true {
            let piece: ByteBuffer?
            do {
                piece = try await pieces.next()
            } catch {
                throw Failure("the answer of \(root.absoluteString) broke off: \(Connection.text(error))")
            }
            guard let piece else { return answer.headers }
            try take(Data(buffer: piece))
        }
    }

    /// Deletes a part of the source.
    @discardableResult
    func delete(_ path: String, query: [URLQueryItem] = []) async throws -> JSON {
        let request = request("DELETE", path, query)
        return try await answer(request)
    }

    /// Deletes one of several resources, whatever characters its name has.
    @discardableResult
    func delete(_ path: String, named name: String) async throws -> JSON {
        try await below(path, named: name).delete("")
    }

    private func request(_ method: String, _ path: String, _ query: [URLQueryItem]) -> HTTPClientRequest {
        let place = path.isEmpty ? root : root.appendingPathComponent(path)
        var address = URLComponents(url: place, resolvingAgainstBaseURL: false)
        address?.queryItems = query.isEmpty ? nil : query
        // Foundation does not encode `+`, and servers read it as a space.
        let encoded = address?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        address?.percentEncodedQuery = encoded
        let target = (address?.percentEncodedPath ?? place.path) + (encoded.map { "?\($0)" } ?? "")
        var request = Connection.request(method, self.address.with(target: target))
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        return request
    }

    private func answer(_ request: HTTPClientRequest) async throws -> JSON {
        let (data, status) = try await exchange(request)
        guard let answer = try? JSON.parse([UInt8](data)) else {
            throw Failure("the server's answer is not that of a workspace: status \(status)")
        }
        guard status != 401 else { throw refused }
        guard status != 404 else {
            throw NotFound(description: "the server refused: \(answer["error"]?.stringValue ?? "status 404")")
        }
        guard (200...202).contains(status) else {
            throw Failure("the server refused: \(answer["error"]?.stringValue ?? "status \(status)")")
        }
        return answer
    }

    private var refused: Failure {
        Failure(
            token == nil
                ? "the server wants a token: put it into \(TokenSource.variable), or name a --token-file"
                : "the server refused the token: it is wrong or revoked, or it has ended; `tributary token add` makes one, and `tributary token reset` "
                    + "another admin token")
    }

    private func exchange(_ request: HTTPClientRequest) async throws(Failure) -> (Data, status: Int) {
        do throws(Connection.Failed) {
            let (data, answer) = try await Waiting.during("the answer of \(address.origin)") {
                () async throws(Connection.Failed) in try await connection.data(for: request)
            }
            return (data, Int(answer.status.code))
        } catch {
            throw unreachable(error)
        }
    }

    private func unreachable(_ error: Connection.Failed) -> Failure {
        Failure("\(root.absoluteString) cannot be reached: \(error)")
    }
}
