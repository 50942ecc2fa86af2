import Dispatch
import Foundation

/// Gives each request of any transport exactly one result, at the latest a moment after its deadline by the client's
/// own clock. A later or second answer is ignored.
struct WatchedTransport: Transport {
    private let transport: any Transport
    private let time: any TimeSource
    private let queue = DispatchQueue(label: "tributary.transport", qos: .utility)

    init(_ transport: any Transport, time: any TimeSource) {
        self.transport = transport
        self.time = time
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let once = Once(completion)
        let deadline = time.schedule(after: request.deadline + Limits.deadlineGrace, on: queue) {
            once.call(
                .failure(TransportError("no answer within \(Int(clamping: request.deadline)) s", isTimeout: true)))
        }
        transport.send(request) { result in
            if once.call(result) { deadline.cancel() }
        }
    }
}
