import Hummingbird
import WorkspaceCore

/// Refuses names in the query that a route does not know. Ignoring a misspelt name would answer another question: a
/// list of all events instead of the events of one user, or an erasure from all sources instead of from one.
struct QueryMiddleware: RouterMiddleware {
    let names: QueryNames

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        if request.uri.query != nil, let path = context.endpointPath {
            try names.check(QueryReader(request).names, of: request.method, at: path)
        }
        return try await next(request, context)
    }
}
