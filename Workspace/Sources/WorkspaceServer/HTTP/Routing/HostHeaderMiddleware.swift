import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Refuses requests that do not name exactly one host, because two servers could read them differently.
struct HostHeaderMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority, !host.isEmpty else {
            throw Refusal.invalid("the Host header is missing")
        }
        // The first one became the authority.
        guard request.headers[named: "Host"] == nil else { throw Refusal.invalid("the Host header is there twice") }
        guard host.utf8.allSatisfy(Self.isHostByte) else { throw Refusal.invalid("the Host header is not a host") }
        return try await next(request, context)
    }

    /// Names, numbers, ports and bracketed IPv6 addresses; nothing that could end the host in a URL.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._:[]".utf8.contains(byte)
    }
}
