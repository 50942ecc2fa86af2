import HTTPTypes
import Hummingbird
import NIOCore
import WorkspaceCore

extension Request {
    /// Does long work, and cancels it when the client leaves. The body cannot be read afterwards.
    ///
    /// The connection is not used for another request afterwards.
    /// - Throws: `EndOfConnection` with the error of the work.
    func whileClientStays(_ work: () async throws -> Response) async throws -> Response {
        // The framework waits for the end of the body. Of a body that was read before, it never sees the end, and it ends
        // the process when the client leaves. An empty body has an end in each case.
        var request = self
        request.body = RequestBody(buffer: ByteBuffer())
        do {
            var response = try await request.body.consumeWithCancellationOnInboundClose { _ in try await work() }
            response.headers[.connection] = "close"
            return response
        } catch {
            throw EndOfConnection(cause: error)
        }
    }
}

/// An error after which the connection is not used for another request. The answer says so.
struct EndOfConnection: Error {
    let cause: any Error
}
