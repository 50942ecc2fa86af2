import Dispatch

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// Sends requests through the app's own session.
final class HTTPSessionTransport: Transport {
    // The session is only called while the lock of its box is held.
    private let session: LockBox<any HTTPSession>
    private let deadlines = DispatchQueue(label: "tributary.transport.session")
    private let time = SystemTimeSource()

    init(_ session: any HTTPSession) { self.session = LockBox(session) }

    deinit { session.withLock { $0.finishTasksAndInvalidate() } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let once = Once(completion)
        let limit = request.answerLimit
        let deadline = time.schedule(after: request.deadline, on: deadlines) {
            once.call(.failure(TransportError("no answer within \(request.deadline) s", isTimeout: true)))
        }
        let answered: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { data, response, error in
            if once.call(Self.result(data, response, error, limit)) { deadline.cancel() }
        }
        var plain = URLRequest(request)
        plain.httpBody = nil
        let task: any DataTask = session.withLock { session in
            guard let body = request.body else {
                return session.dataTask(with: plain, completionHandler: answered)
            }
            return session.uploadTask(with: plain, from: Data(body), completionHandler: answered)
        }
        task.resume()
    }

    private static func result(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, _ limit: TransportRequest.AnswerLimit
    ) -> Result<TransportResponse, TransportError> {
        if let error {
            let isTimeout = (error as? URLError)?.code == .timedOut
            return .failure(TransportError(error.localizedDescription, isTimeout: isTimeout))
        }
        guard let response = response as? HTTPURLResponse else { return .failure(TransportError("no answer")) }
        let body = data ?? Data()
        if case .whole(let bytes) = limit, body.count > bytes {
            return .failure(TransportError("the answer has more than \(bytes) bytes"))
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        return .success(
            TransportResponse(status: response.statusCode, headers: headers, body: [UInt8](body.prefix(limit.bytes))))
    }
}
