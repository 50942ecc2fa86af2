import HTTPTypes
import Hummingbird
import WorkspaceCore

/// Answers requests for some paths on the event loop of their connection, and all others elsewhere.
///
/// Only short work may stay on an event loop. See `EventLoopExecutor`.
struct EventLoopResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == WorkspaceContext {
    let base: Base
    /// The paths with POST requests that are short work.
    let short: Set<String>

    func respond(to request: Request, context: WorkspaceContext) async throws -> Response {
        if request.method == .post, short.contains(request.uri.path) {
            return try await base.respond(to: request, context: context)
        }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var response = try await base.respond(to: request, context: context)
            // A body without a length is made while it is sent.
            if response.body.contentLength == nil { response.body = response.body.madeElsewhere }
            return response
        }
    }
}

extension ResponseBody {
    fileprivate var madeElsewhere: ResponseBody {
        ResponseBody { writer in
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await write(writer) }
        }
    }
}
