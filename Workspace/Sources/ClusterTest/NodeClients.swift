import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TributaryJSON

/// Asks the nodes over HTTP, as clients and administrators do.
final class NodeClients: Sendable {
    /// The outcome of sending a batch.
    enum Outcome: Equatable {
        case acknowledged
        /// 503: the client is asked to send it later.
        case refused
        /// No answer within the deadline, or no connection.
        case unanswered
        /// Another status. A client drops the batch after some of them.
        case unexpected(Int)
    }

    /// The HTTP addresses of the nodes.
    let addresses: [String]
    private let client: HTTPClient

    /// A node that is stopped accepts connections and does not answer.
    private static let deadline = TimeAmount.seconds(5)
    private static let answerBytes = 1 << 20

    /// - Parameter connections: the most connections to each node.
    init(_ addresses: [String], connections: Int) {
        self.addresses = addresses
        var configuration = HTTPClient.Configuration(
            timeout: .init(connect: Self.deadline, read: Self.deadline),
            connectionPool: .init(
                idleTimeout: .seconds(30), concurrentHTTP1ConnectionsPerHostSoftLimit: max(1, connections)))
        // A node that was killed is back within a second.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { try? client.syncShutdown() }

    /// Sends a batch to a node, once.
    func send(_ batch: [UInt8], to node: Int) async -> Outcome {
        guard let answer = try? await ask(node, "/v1/b", sending: batch) else { return .unanswered }
        return switch answer.status {
        case 200: .acknowledged
        case 503: .refused
        default: .unexpected(answer.status)
        }
    }

    /// Asks a node as its administrator.
    /// - Parameters:
    ///   - body: what is sent; a GET without.
    ///   - replaces: whether that is a PUT and not a POST.
    /// - Throws: when the node does not answer.
    func ask(
        _ node: Int, _ path: String, sending body: [UInt8]? = nil, replaces: Bool = false
    ) async throws -> (status: Int, body: JSON) {
        var request = HTTPClientRequest(url: addresses[node] + path)
        request.method = body == nil ? .GET : replaces ? .PUT : .POST
        request.headers = [
            "Authorization": "Bearer \(ClusterTestNames.token)", "Content-Type": "application/json",
        ]
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: Self.deadline)
        // The status decides; a node may be killed in the middle of its answer.
        let bytes = (try? await response.body.collect(upTo: Self.answerBytes)).map { Array($0.readableBytesView) }
        return (Int(response.status.code), bytes.flatMap { try? JSON.parse($0) } ?? .null)
    }
}
