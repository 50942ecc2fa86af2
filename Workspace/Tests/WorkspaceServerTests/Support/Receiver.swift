import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization
import TributaryJSON

/// A real server that events are forwarded to.
final class Receiver: Sendable {
    struct Delivery: Sendable {
        let path: String
        let headers: [String: String]
        let body: [UInt8]

        var event: JSON { (try? JSON.parse(body)) ?? .null }
        var id: String { headers["webhook-id"] ?? "" }
        var user: String { event["userId"]?.stringValue ?? "" }
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""
        /// The receiver never answers.
        var hangs = false
        /// The body never ends.
        var trickles = false
    }

    private struct State {
        var deliveries: [Delivery] = []
        var accepted: [Delivery] = []
        var ids: Set<String> = []
        var waiting: [Waiting] = []
    }

    private struct Waiting {
        let holds: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex(State())
    private let decide: @Sendable (Delivery, Int) -> Answer

    /// - Parameter decide: what is answered to a request, and to how many of the same id before.
    init(_ decide: @escaping @Sendable (Delivery, Int) -> Answer = { _, _ in Answer() }) { self.decide = decide }

    /// All requests, as they came.
    var deliveries: [Delivery] { state.withLock(\.deliveries) }
    /// The requests that were answered with success.
    var accepted: [Delivery] { state.withLock(\.accepted) }

    /// Returns when that many requests were answered with success.
    func accepts(_ count: Int) async -> [Delivery] {
        await wait { $0.accepted.count >= count }
        return accepted
    }

    /// Returns when that many requests were answered with success; repeated requests do not count.
    func acceptsDifferent(_ count: Int) async { await wait { $0.ids.count >= count } }

    private func wait(until holds: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if holds(state) { return continuation.resume() }
                state.waiting.append(Waiting(holds: holds, continuation: continuation))
            }
        }
    }

    /// Serves while the body runs, which gets the address.
    func run<Result: Sendable>(_ body: (String) async throws -> Result) async throws -> Result {
        let router = Router()
        for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
            // Two asterisks match one or more parts of a path.
            for path: RouterPath in ["/", "**"] {
                router.on(path, method: method) { request, _ in try await self.take(request) }
            }
        }
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ready.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() })
        let server = Task { try await application.run() }
        defer { server.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw CancellationError() }
        return try await body("http://127.0.0.1:\(port)")
    }

    private func take(_ request: Request) async throws -> Response {
        let buffer = try await request.body.collect(upTo: 1 << 20)
        let headers = Dictionary(
            request.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { first, _ in first })
        let delivery = Delivery(path: request.uri.path, headers: headers, body: Array(buffer.readableBytesView))
        let before = state.withLock { state in
            defer { state.deliveries.append(delivery) }
            return state.deliveries.count { $0.id == delivery.id }
        }
        let answer = decide(delivery, before)
        if answer.hangs { try await Self.never() }
        if 200..<300 ~= answer.status { accept(delivery) }
        var fields = HTTPFields()
        for (name, value) in answer.headers { HTTPField.Name(name).map { fields[$0] = value } }
        return Response(
            status: .init(code: answer.status), headers: fields,
            body: answer.trickles
                ? Self.endless(answer.body) : ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }

    private static func endless(_ text: String) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: text))
            try await never()
            try await writer.finish(nil)
        }
    }

    private func accept(_ delivery: Delivery) {
        let due = state.withLock { state in
            state.accepted.append(delivery)
            state.ids.insert(delivery.id)
            let waiting = state.waiting
            state.waiting = waiting.filter { !$0.holds(state) }
            return waiting.filter { $0.holds(state) }
        }
        for entry in due { entry.continuation.resume() }
    }

    /// The answer goes on until the client or the test ends it.
    private static func never() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        continuation.finish()
        throw CancellationError()
    }
}
