import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Answers HEAD as GET, with its status and headers and without its body.
///
/// The router can make routes for HEAD by itself. But where the answer to GET gives no length, it then answers with the
/// length 0, behind every middleware, so that none can correct it.
struct HeadResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == WorkspaceContext {
    let base: Base

    func respond(to request: Request, context: WorkspaceContext) async throws -> Response {
        guard request.method == .head else { return try await base.respond(to: request, context: context) }
        var (head, context) = (request.head, context)
        head.method = .get
        context.isHead = true
        let answer = try await base.respond(to: Request(head: head, body: request.body), context: context)
        // This body has no length, so the headers stay as they are.
        return Response(
            status: answer.status, headers: answer.headers, body: ResponseBody { try await $0.finish(nil) })
    }
}
