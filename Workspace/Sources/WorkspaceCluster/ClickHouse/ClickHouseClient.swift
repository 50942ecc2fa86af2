import AsyncHTTPClient
import Crypto
import NIOCore
import NIOHTTP1
import Synchronization
import WorkspaceCore
import WorkspaceServer

/// Talks to the replicas of a column store over HTTP.
///
/// A statement that fails for a passing reason is sent again, to the next host. So its effect must not depend on how
/// often it arrives: reads, inserts of the same bytes, and deletions by number have that property. May be used from any
/// task.
final class ClickHouseClient: Sendable {
    let settings: ClickHouseSettings
    private let state = Mutex(State())
    /// A table takes one insert with a quorum at a time, and refuses others after it has read them.
    private let inserting = Turns()

    private struct State {
        /// The host that answered last.
        var host = 0
        /// The known main versions of the hosts.
        var versions: [Int: Int] = [:]
        /// When the last insert of this client ended; nil before the first.
        var lastInsert: ContinuousClock.Instant?
    }

    init(_ settings: ClickHouseSettings) { self.settings = settings }

    var hosts: Range<Int> { settings.hosts.indices }

    // MARK: Statements

    /// Reads rows in the format RowBinary, from a replica that has the newest block that a quorum has.
    /// - Parameter isWhole: whether the replica has to have each block. Replicas fetch blocks in any order, so a
    ///   replica that has the newest block may lack an earlier one for a while.
    func read(_ query: ClickHouseQuery, isWhole: Bool = false) async throws -> RowBinaryReader {
        var query = query
        query.text += " FORMAT RowBinary"
        let isSequential = settings.quorum > 1
        let answer = try await onSomeHost { [query] host, round in
            if isWhole, isSequential { try await self.waitUntilNothingIsMissing(on: host) }
            // After a day was dropped, old servers look for its last block in vain. Then the replica first fetches all
            // blocks of the others, and is asked without that check.
            guard isSequential, round > 0 else {
                return try await self.send(query, to: host, isSequential ? ["select_sequential_consistency": "1"] : [:])
            }
            _ = try await self.send(
                ClickHouseQuery("SYSTEM SYNC REPLICA \(self.settings.database).\(ClickHouseTable.name)"), to: host)
            return try await self.send(query, to: host)
        }
        return RowBinaryReader(answer)
    }

    /// Reads rows from one replica, which may lack the newest.
    func read(_ query: ClickHouseQuery, from host: Int) async throws -> RowBinaryReader {
        var query = query
        query.text += " FORMAT RowBinary"
        return RowBinaryReader(try await send(query, to: host))
    }

    /// Inserts rows; when this returns, a quorum has them.
    /// - Parameter rows: the same bytes each time that the block is inserted. Servers recognise the block by its bytes.
    func insert(_ statement: String, rows: [UInt8]) async throws {
        let token = SHA256.hash(data: rows).hexadecimal
        try await inserting.run { try await insertInTurn(statement, rows, token) }
    }

    private func insertInTurn(_ statement: String, _ rows: [UInt8], _ token: String) async throws {
        // The caller may have been cancelled while it waited.
        try Task.checkCancellation()
        if settings.quorum > 1, let last = state.withLock({ $0.lastInsert }) {
            try await Task.sleep(until: last + Self.courtesy)
        }
        _ = try await onSomeHost { host, _ in
            try await self.waitUntilNoInsertRuns(on: host)
            var options = ClickHouseInsert.settings(
                version: try await self.version(of: host), quorum: self.settings.quorum, token: token)
            options["query"] = statement
            return try await self.send(to: host, options, ByteBuffer(bytes: rows), type: "application/octet-stream")
        }
        state.withLock { $0.lastInsert = .now }
    }

    /// How long a client that has just inserted leaves the table to others. The others look a little more often, so one
    /// of them inserts next.
    private static let courtesy: Duration = .milliseconds(50)

    /// Runs a statement on some host.
    func run(_ query: ClickHouseQuery) async throws {
        _ = try await onSomeHost { host, _ in try await self.send(query, to: host) }
    }

    /// Runs a statement on one host, once.
    func run(_ query: ClickHouseQuery, on host: Int) async throws { _ = try await send(query, to: host) }

    // MARK: Hosts

    /// Tries the hosts in turn, beginning with the one that answered last.
    /// - Parameter attempt: gets the host, and the number of times that all hosts failed before.
    private func onSomeHost(
        _ attempt: @Sendable (_ host: Int, _ round: Int) async throws -> [UInt8]
    ) async throws -> [UInt8] {
        let end = ContinuousClock.now + .seconds(settings.patience)
        let first = state.withLock { $0.host }
        var failures = 0
        while true {
            let host = (first + failures) % settings.hosts.count
            do {
                let result = try await attempt(host, failures / settings.hosts.count)
                state.withLock { $0.host = host }
                return result
            } catch let error as ClickHouseError where error.isPassing {
                state.withLock { $0.versions[host] = nil }
                failures += 1
                guard ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(min(50 * failures, 1_000)))
            }
        }
    }

    /// The main version of a host.
    func version(of host: Int) async throws -> Int {
        if let known = state.withLock({ $0.versions[host] }) { return known }
        let text = String(decoding: try await send(ClickHouseQuery("SELECT version()"), to: host), as: UTF8.self)
        guard let version = text.split(separator: ".").first.flatMap({ Int($0) }) else {
            throw ClickHouseError.answer("\(text) is no version")
        }
        state.withLock { $0.versions[host] = version }
        return version
    }

    // MARK: Requests

    private func send(
        _ query: ClickHouseQuery, to host: Int, _ options: [String: String] = [:]
    ) async throws -> [UInt8] {
        guard let structure = query.structure else {
            return try await send(to: host, options, ByteBuffer(string: query.text), type: "text/plain")
        }
        var options = options
        options["query"] = query.text
        options["given_structure"] = structure
        options["given_format"] = "RowBinary"
        // So many random bits do not occur in a value.
        let boundary = "tributary-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
        var body = ByteBuffer()
        body.writeString("--\(boundary)\r\nContent-Disposition: form-data; name=\"given\"; filename=\"given\"\r\n\r\n")
        body.writeBytes(query.given)
        body.writeString("\r\n--\(boundary)--\r\n")
        return try await send(to: host, options, body, type: "multipart/form-data; boundary=\(boundary)")
    }

    /// - Parameter options: settings of the server and the parts of the request that go into its address.
    private func send(
        to host: Int, _ options: [String: String], _ body: ByteBuffer, type: String
    ) async throws -> [UInt8] {
        // An answer that fails in its middle is then an answer with a status of failure.
        let options = options.merging(["wait_end_of_query": "1"]) { $1 }
        let query = options.sorted { $0.key < $1.key }.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
        var request = settings.addresses[host].with(target: "/?\(query)").request(.POST)
        request.headers = ["Content-Type": type]
        if let user = settings.user {
            request.headers.add(name: "X-ClickHouse-User", value: user)
            request.headers.add(name: "X-ClickHouse-Key", value: settings.password ?? "")
        }
        request.body = .bytes(body)
        let answer = try await answer(to: request, of: host)
        guard answer.status == .ok else { throw Self.refusal(String(buffer: answer.text)) }
        return Array(answer.text.readableBytesView)
    }

    /// Fails at once when a host is away. By default a client connects again and again for ten seconds, although the
    /// next host can answer.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        // A redirect could lead anywhere, also to a port that ends the process.
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private struct Answer: Sendable {
        let status: HTTPResponseStatus
        let text: ByteBuffer
    }

    private func answer(to request: HTTPClientRequest, of host: Int) async throws -> Answer {
        do {
            let response = try await Self.http.execute(request, timeout: .seconds(Limits.columnStoreAttempt))
            let text = try await response.body.collect(upTo: Limits.columnStoreAnswer)
            return Answer(status: response.status, text: text)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ClickHouseError.unavailable("\(settings.hosts[host]): \(error)")
        }
    }

    /// The error for a server's refusal of a statement, which begins with its code.
    private static func refusal(_ text: String) -> ClickHouseError {
        let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber }
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        return .refused(code: Int(digits) ?? 0, String(line.prefix(500)))
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            guard !byte.isAlphanumeric, byte != UInt8(ascii: "_") else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            let digits = String(byte, radix: 16, uppercase: true)
            result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
        return result
    }
}

extension Limits {
    /// Seconds that one statement of a column store may take, the bytes of its answer, and how long an erasure waits until
    /// every replica has done it.
    static let columnStoreAttempt: Int64 = 15
    static let columnStoreAnswer = 512 << 20
    static let columnStoreErasure = Duration.seconds(60)
    /// The newest traces of a column store that latency figures are made of.
    static let tracesLookedAt = 1_000
}
