import GRDB
import HTTPTypes
import Hummingbird
import Logging
import TributaryJSON
import TributaryJournal

/// Gives every failure the same JSON form.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    /// So that a full disk does not write a line for each request that it refuses.
    let failures: RepeatedFailures

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as APIError {
            return answer(error.status, error.message, error.headers)
        } catch let error as HTTPError {
            return answer(error.status, message(error, request), error.headers)
        } catch let error as DatabaseError {
            failures.log(
                "storage failed", kind: "storage \(error.resultCode)", context.logger,
                metadata: ["error": "\(error)", "path": "\(request.uri.path)"])
            return answer(.serviceUnavailable, "the storage failed: \(error.resultCode)", [.retryAfter: "5"])
        } catch let error as JournalError {
            failures.log(
                "the journal failed", kind: "journal \(error.reason)", context.logger,
                metadata: ["error": "\(error)", "path": "\(request.uri.path)"])
            return answer(.serviceUnavailable, "what was sent cannot be kept now: \(error)", [.retryAfter: "5"])
        } catch is CancellationError {
            return answer(.serviceUnavailable, "the server is stopping", [.retryAfter: "1"])
        } catch {
            context.logger.error("a request failed", metadata: ["error": "\(error)", "path": "\(request.uri.path)"])
            return answer(.internalServerError, "the server failed", [:])
        }
    }

    private func message(_ error: HTTPError, _ request: Request) -> String {
        if let body = error.body { return body }
        if error.status == .notFound { return "there is no \(request.method.rawValue) \(request.uri.path)" }
        return error.status.reasonPhrase
    }

    private func answer(_ status: HTTPResponse.Status, _ message: String, _ headers: HTTPFields) -> Response {
        Response.json(["success": false, "error": .string(message)], status: status, headers: headers)
    }
}
