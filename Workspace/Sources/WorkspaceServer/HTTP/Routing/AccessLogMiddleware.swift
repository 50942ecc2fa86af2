import Hummingbird
import Logging
import WorkspaceCore

/// Logs a line for each request: address, method, path and status. The query is left out, because it may contain a
/// write key, and so are ids of users in the path.
struct AccessLogMiddleware: RouterMiddleware {
    let logger: Logger
    let proxies: TrustedProxies

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
        logger.info(
            "\(context.isHead ? "HEAD" : request.method.rawValue) \(LoggedPath.text(request.uri.path)) \(response.status.code)",
            metadata: [
                "client": "\(proxies.client(of: request, context) ?? "unknown")", "ms": "\(milliseconds)",
                "bytes": "\(response.body.contentLength.map { "\($0)" } ?? "-")",
            ])
        return response
    }
}
