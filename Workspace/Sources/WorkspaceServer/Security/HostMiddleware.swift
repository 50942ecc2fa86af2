import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Answers only under names that the operator knows.
struct HostMiddleware<Context: RequestContext>: RouterMiddleware {
    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard hosts.allows(request.head.authority) else {
            throw Refusal(
                .misdirected,
                "this workspace is not known as \(request.head.authority ?? "nothing"); if it should be, start it with "
                    + "--allowed-host")
        }
        return try await next(request, context)
    }
}
