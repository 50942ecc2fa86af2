import HTTPTypes
import Hummingbird

/// Answers HEAD as GET, with its status and headers and without its body.
///
/// The router can make routes for HEAD by itself. It then says that the length is 0 where the answer to GET says none,
/// behind every middleware, so that none can put it right.
struct HeadResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == WorkspaceContext {
    let base: Base

    func respond(to request: Request, context: WorkspaceContext) async throws -> Response {
        guard request.method == .head else { return try await base.respond(to: request, context: context) }
        var (head, context) = (request.head, context)
        head.method = .get
        context.isHead = true
        let answer = try await base.respond(to: Request(head: head, body: request.body), context: context)
        // This body says nothing of its length, so the headers stay as they are.
        return Response(
            status: answer.status, headers: answer.headers, body: ResponseBody { try await $0.finish(nil) })
    }
}
