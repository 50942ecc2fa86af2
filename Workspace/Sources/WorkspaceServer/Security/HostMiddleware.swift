import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Answers only under names that the operator knows.
struct HostMiddleware<Context: RequestContext>: RouterMiddleware {
    let hosts: AllowedHosts
    /// An address below a path of a site, which is for clients alone; nil when there is none.
    let site: PublicURL?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard hosts.allows(request.head.authority) else {
            if let site, request.head.authority?.lowercased() == site.authority {
                throw Refusal(
                    .misdirected,
                    "\(site.text) is for clients that send events and read settings; open the page and the administration "
                        + "at the address on which the workspace listens, or under a host of their own that --allowed-host names"
                )
            }
            throw Refusal(
                .misdirected,
                "this workspace is not known as \(request.head.authority ?? "nothing"); if it should be, start it with "
                    + "--allowed-host")
        }
        return try await next(request, context)
    }
}
