public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request and returns the answer. A cancelled task waits for the answer, too, at most as long as the request may
    /// take.
    ///
    /// Use it in the place of `data(for:)`, which cancels the request with the task. On Linux, that can wait for ever when the
    /// answer comes at the same time: Foundation waits for the session's queue, and the answer on that queue waits for the
    /// task. A request that is cancelled from elsewhere can end the process in the same moment.
    public func answer(to request: URLRequest) async throws -> (body: Data, response: URLResponse) {
        try await withCheckedThrowingContinuation { continuation in
            let task = dataTask(with: request) { body, response, error in
                if let body, let response {
                    continuation.resume(returning: (body, response))
                } else {
                    continuation.resume(throwing: error ?? URLError(.unknown))
                }
            }
            task.resume()
        }
    }
}
