import Foundation
public import Tributary
public import TributaryJSON

/// A transport that acts as the server. It answers requests for settings and batches as a test says, and records the
/// events that it confirmed.
///
/// By default the settings are `{"integrations":{}}`, and each batch is confirmed. Bodies must not be compressed: set
/// `Configuration.gzip(false)`, as ``TestClient`` does. It may be used from any thread.
///
/// Unchecked because the state is behind its lock.
public final class StubServer: Transport, @unchecked Sendable {
    /// A response, or the error of a request without one.
    public typealias Answer = Result<TransportResponse, TransportError>

    private struct State {
        var settings: Answer? = .success(TransportResponse(status: 200, body: [UInt8](#"{"integrations":{}}"#.utf8)))
        var bundle: Answer = .success(TransportResponse(status: 404))
        /// Answers of single versions, by the last part of their address.
        var bundles: [String: Answer] = [:]
        var log: Answer = .success(TransportResponse(status: 404))
        var answers: [Answer] = []
        var answerForAll: (@Sendable ([JSON]) -> Answer?)?
        var requests: [TransportRequest] = []
        var events: [JSON] = []
        /// Requests and events that were answered.
        var (answered, confirmed) = (0, 0)
        var traces: [JSON] = []
        var healthReports: [JSON] = []
        var healthStatus = 200
        /// Held requests for settings, oldest first; nil while the server holds none.
        var held: [@Sendable (Answer) -> Void]?
        var watchers: [(Int, CheckedContinuation<Void, Never>)] = []
        var confirmations: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = LockBox(State())

    /// A server that confirms everything.
    public init() {}

    /// The confirmed events, in order.
    public var events: [JSON] { state.withLock { $0.events } }
    /// The names of the confirmed track events.
    public var names: [String] { events.compactMap { $0["event"]?.stringValue } }
    /// All requests, in order.
    package var allRequests: [TransportRequest] { state.withLock { $0.requests } }
    /// Requests with batches, in order.
    public var batches: [TransportRequest] { state.withLock { $0.requests.filter { $0.url.path.hasSuffix("/b") } } }
    /// Requests for settings, in order.
    public var settingsRequests: [TransportRequest] {
        state.withLock { $0.requests.filter { $0.url.path.hasSuffix("/settings") } }
    }
    /// The hosts of all requests.
    package var hosts: Set<String> { state.withLock { Set($0.requests.compactMap(\.url.host)) } }
    /// The traces that the inspector got.
    package var traces: [JSON] { state.withLock { $0.traces } }

    /// The health reports that arrived, in order, whatever the answer was.
    package var healthReports: [JSON] { state.withLock { $0.healthReports } }

    /// Sets the answer to health reports from now on.
    package func answerHealthReports(_ status: Int) { state.withLock { $0.healthStatus = status } }

    /// Sets the answer of the settings address from now on.
    public func answerSettings(_ answer: Answer) { state.withLock { $0.settings = answer } }

    /// Sets the answer of the live plugins' address from now on.
    package func answerBundle(_ source: String, status: Int = 200, type: String = "text/javascript") {
        answerBundle(bytes: [UInt8](source.utf8), status: status, type: type)
    }

    /// Sets the answer of the live plugins' address from now on, as bytes that need not be a text.
    package func answerBundle(bytes: [UInt8], status: Int = 200, type: String = "text/javascript") {
        let response = TransportResponse(status: status, headers: ["Content-Type": type], body: bytes)
        state.withLock { $0.bundle = .success(response) }
    }

    /// Sets the answer of the address of one version from now on.
    package func answerBundle(_ source: String, ofVersion version: Int) {
        let type = ["Content-Type": "text/javascript"]
        let response = TransportResponse(status: 200, headers: type, body: [UInt8](source.utf8))
        state.withLock { $0.bundles["\(version).js"] = .success(response) }
    }

    /// Sets the answer of the address that proves how the log of deployments grew.
    package func answerLog(_ answer: Answer) { state.withLock { $0.log = answer } }

    /// Leaves requests for settings without an answer from now on.
    public func silenceSettings() { state.withLock { $0.settings = nil } }

    /// Holds requests for settings that ask for it, until ``answerHeld(_:)``.
    package func holdSettings() { state.withLock { $0.held = $0.held ?? [] } }

    /// The held requests for settings that came so far.
    package var heldRequests: [TransportRequest] { settingsRequests.filter { $0.url.query != nil } }

    /// Answers all held requests for settings.
    package func answerHeld(_ answer: Answer) {
        let held = state.withLock { state in
            defer { state.held = state.held.map { _ in [] } }
            return state.held ?? []
        }
        for completion in held { completion(answer) }
    }

    /// Sets the settings from now on.
    public func answerSettings(_ json: JSON) {
        answerSettings(.success(TransportResponse(status: 200, body: json.encoded())))
    }

    /// Sets the answers of the next batches. Later batches are confirmed again.
    public func answerNext(_ statuses: Int...) {
        state.withLock { $0.answers += statuses.map { .success(TransportResponse(status: $0)) } }
    }

    /// Sets the answer of the next batch. A ``TransportError`` acts as a failing network.
    public func answerNext(_ answer: Answer) { state.withLock { $0.answers.append(answer) } }

    /// Decides the answer of a batch by its events; nil confirms the batch.
    public func answerBatches(_ answer: (@Sendable ([JSON]) -> Answer?)?) {
        state.withLock { $0.answerForAll = answer }
    }

    /// Answers at once, on the thread of the call, unless settings are without an answer.
    public func send(_ request: TransportRequest, completion: @escaping @Sendable (Answer) -> Void) {
        let (answer, confirmed) = state.withLock { state -> (Answer?, Int) in
            let before = state.events.count
            let answer = Self.answer(request, &state)
            if state.held != nil, request.url.path.hasSuffix("/settings"), request.url.query != nil {
                state.held?.append(completion)
                return (nil, 0)
            }
            return (answer, state.events.count - before)
        }
        if let answer { completion(answer) }
        // Last, because a waiting test may advance the clock, and with it the deadline of an answer that is still to
        // come.
        state.withLock { state in
            state.answered += 1
            state.confirmed += confirmed
            Self.resume(&state)
        }
    }

    private static func answer(_ request: TransportRequest, _ state: inout State) -> Answer? {
        state.requests.append(request)
        if request.url.path.hasSuffix("/settings") { return state.settings }
        if request.url.path.hasSuffix(".js") { return state.bundles[request.url.lastPathComponent] ?? state.bundle }
        if request.url.path.hasSuffix("/live-plugins/log") { return state.log }
        let body = request.body.flatMap { try? JSON.parse($0) }
        if request.url.path.hasSuffix("/traces") {
            state.traces += body?["traces"]?.elements ?? []
            return .success(TransportResponse(status: 200))
        }
        if request.url.path.hasSuffix("/health-reports") {
            state.healthReports += body.map { [$0] } ?? []
            return .success(TransportResponse(status: state.healthStatus))
        }
        return answer(body?["batch"]?.elements ?? [], &state)
    }

    private static func answer(_ events: [JSON], _ state: inout State) -> Answer {
        if !state.answers.isEmpty {
            let answer = state.answers.removeFirst()
            if case .success(let response) = answer, (200..<300).contains(response.status) { state.events += events }
            return answer
        }
        if let answer = state.answerForAll?(events) { return answer }
        state.events += events
        return .success(TransportResponse(status: 200, body: [UInt8](#"{"success":true}"#.utf8)))
    }

    /// Waits until that many requests have come and were answered, apart from settings without an answer.
    public func requests(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.watchers.append((count, continuation))
                Self.resume(&state)
            }
        }
    }

    /// Waits until that many events have been confirmed.
    package func confirmed(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.confirmations.append((count, continuation))
                Self.resume(&state)
            }
        }
    }

    private static func resume(_ state: inout State) {
        let confirmed = state.confirmed
        for watcher in state.confirmations where watcher.0 <= confirmed { watcher.1.resume() }
        state.confirmations.removeAll { $0.0 <= confirmed }
        let count = state.answered
        for watcher in state.watchers where watcher.0 <= count { watcher.1.resume() }
        state.watchers.removeAll { $0.0 <= count }
    }
}
