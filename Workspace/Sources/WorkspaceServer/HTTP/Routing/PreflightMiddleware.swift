import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Answers browsers that ask whether a page of another origin may send to a path.
struct PreflightMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The paths that pages of every origin may use.
    let open: RouteTable

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .options else { return try await next(request, context) }
        let methods = open.methods(of: request.uri.path)
        guard !methods.isEmpty else { return try await next(request, context) }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: (methods + [.options]).map(\.rawValue).joined(separator: ", "),
                // Clients can be configured with headers of their own. The star does not include `Authorization`, and old
                // browsers do not know it.
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, Content-Encoding, X-Write-Key, X-Sent-At, X-Retry-Count, *",
                .accessControlMaxAge: "86400",
            ])
    }
}
