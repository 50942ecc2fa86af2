import GRDB
package import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import TributaryJSON
import TributaryJournal
package import WorkspaceCore

/// Gives every error the same JSON form.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Logged at intervals, so that a full disk does not write a line for each request.
    let failures: RepeatedFailures
    /// Every path of the server.
    let routes: RouteTable

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let end as EndOfConnection {
            var response = answer(to: end.cause, request, context)
            response.headers[.connection] = "close"
            return response
        } catch {
            return answer(to: error, request, context)
        }
    }

    private func answer(to error: any Error, _ request: Request, _ context: Context) -> Response {
        switch error {
        case let error as Refusal: return answer(error.status, error.message, error.headers)
        case let error as HTTPError: return refused(error, request)
        case is HTTPParserError:
            return answer(.badRequest, "the body is not sent as HTTP says: its chunks cannot be read", [:])
        case let error as DatabaseError:
            failures.log(
                "storage failed", kind: "storage \(error.resultCode)", context.logger,
                metadata: ["error": "\(error)", "path": "\(LoggedPath.text(request.uri.path))"])
            return answer(.serviceUnavailable, "the storage failed: \(ErrorReason.text(error))", [.retryAfter: "5"])
        case let error as JournalError:
            failures.log(
                "the journal failed", kind: "journal \(error.reason)", context.logger,
                metadata: ["error": "\(error)", "path": "\(LoggedPath.text(request.uri.path))"])
            return answer(
                .serviceUnavailable, "what was sent cannot be kept now: \(ErrorReason.text(error))", [.retryAfter: "5"]
            )
        case let error as any EngineFailure where error.isPassing:
            failures.log(
                "an engine of the cluster failed", kind: "engine \(type(of: error))", context.logger,
                metadata: ["error": "\(error)", "path": "\(LoggedPath.text(request.uri.path))"])
            return answer(.serviceUnavailable, ErrorReason.text(error), [.retryAfter: "5"])
        case is CancellationError: return answer(.serviceUnavailable, "the server is stopping", [.retryAfter: "1"])
        default:
            context.logger.error(
                "a request failed", metadata: ["error": "\(error)", "path": "\(LoggedPath.text(request.uri.path))"])
            return answer(.internalServerError, "the server failed", [:])
        }
    }

    /// An error of the router or of the library.
    private func refused(_ error: HTTPError, _ request: Request) -> Response {
        if let body = error.body { return answer(error.status, body, error.headers) }
        guard error.status == .notFound else { return answer(error.status, error.status.reasonPhrase, error.headers) }
        let methods = routes.methods(of: request.uri.path).map(\.rawValue).joined(separator: ", ")
        guard methods.isEmpty else {
            return answer(
                .methodNotAllowed, "\(request.uri.path) takes \(methods), not \(request.method.rawValue)",
                [.allow: methods])
        }
        return answer(.notFound, "there is no \(request.method.rawValue) \(request.uri.path)", error.headers)
    }

    private func answer(_ status: HTTPResponse.Status, _ message: String, _ headers: HTTPFields) -> Response {
        Response.json(["success": false, "error": .string(message)], status: status, headers: headers)
    }
}

extension Refusal {
    /// The status of the answer.
    package var status: HTTPResponse.Status {
        switch reason {
        case .invalid: .badRequest
        case .unusable: .unprocessableContent
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .misdirected: .init(code: 421, reasonPhrase: "Misdirected Request")
        case .conflict: .conflict
        case .tooLarge: .contentTooLarge
        case .wrongMediaType: .unsupportedMediaType
        case .tooMany: .tooManyRequests
        case .unsupported: .notImplemented
        case .unavailable: .serviceUnavailable
        }
    }

    /// The status as a number.
    package var statusCode: Int { status.code }

    fileprivate var headers: HTTPFields {
        var headers = HTTPFields()
        if reason == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        if endsConnection { headers[.connection] = "close" }
        return headers
    }
}
