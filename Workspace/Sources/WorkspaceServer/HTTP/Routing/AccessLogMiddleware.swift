import Hummingbird
import Logging

/// Logs a line for each request: address, method, path and status. The query is left out, because it may contain a
/// write key.
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
            "\(context.isHead ? "HEAD" : request.method.rawValue) \(Self.printable(request.uri.path)) \(response.status.code)",
            metadata: [
                "client": "\(proxies.client(of: request, context) ?? "unknown")", "ms": "\(milliseconds)",
                "bytes": "\(response.body.contentLength.map { "\($0)" } ?? "-")",
            ])
        return response
    }

    /// A path may contain bytes that would end the line or control a terminal.
    private static func printable(_ path: String) -> String {
        String(
            String.UnicodeScalarView(
                path.unicodeScalars.prefix(1_024).map { $0.value > 0x20 && $0.value < 0x7F ? $0 : "?" }))
    }
}
