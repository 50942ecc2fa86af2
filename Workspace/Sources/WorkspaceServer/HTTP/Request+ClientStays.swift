import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Does long work, and cancels it when the client leaves. The body must have been read.
    ///
    /// The connection is not used for another request afterwards.
    func whileClientStays(_ work: () async throws -> Response) async throws -> Response {
        var response = try await body.consumeWithCancellationOnInboundClose { _ in try await work() }
        response.headers[.connection] = "close"
        return response
    }
}
