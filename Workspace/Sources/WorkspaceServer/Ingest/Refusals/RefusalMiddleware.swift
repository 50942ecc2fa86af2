import HTTPTypes
import Hummingbird
import NIOHTTP1
import WorkspaceCore

/// Notes the requests of clients that the server refuses. It changes no answer.
struct RefusalMiddleware: RouterMiddleware {
    let book: RefusalBook
    let proxies: TrustedProxies
    let now: @Sendable () -> Int64

    func handle(
        _ request: Request, context: WorkspaceContext, next: (Request, WorkspaceContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as Refusal {
            if let kind = Self.kind(of: error, at: request.uri.path) {
                note(kind, error, request, context)
            }
            throw error
        } catch let error as HTTPError {
            if error.status == .notFound, Self.isOfClient(request) {
                let unknown = UnknownPath(method: request.method.rawValue, path: request.uri.path)
                let key = unknown.key ?? WriteKey.all(of: request, body: nil).first
                note(.wrongPath, unknown.reason, key: key, at: unknown.path, request, context)
            }
            throw error
        } catch let error as HTTPParserError {
            note(.unreadableBody, "the body is not sent as HTTP says", at: request.uri.path, request, context)
            throw error
        }
    }

    private func note(
        _ kind: RefusedRequest.Kind, _ error: Refusal, _ request: Request, _ context: WorkspaceContext
    ) {
        guard let key = error.refusedKey else {
            return note(kind, error.message, at: request.uri.path, request, context)
        }
        // The path of the request and the text of the error may have the whole key.
        note(kind, WriteKey.unknown(key).message, key: key, at: context.endpointPath ?? "", request, context)
    }

    private func note(
        _ kind: RefusedRequest.Kind, _ reason: String, key: String? = nil, at path: String, _ request: Request,
        _ context: WorkspaceContext
    ) {
        let refused = RefusedRequest(
            kind, reason: reason, key: key, method: request.method.rawValue, path: path,
            address: proxies.client(of: request, context),
            client: request.headers[.userAgent])
        book.note(refused, at: now())
    }

    /// Nil for an answer that concerns no client, or that other places show: quotas, and a server that is full.
    static func kind(of error: Refusal, at path: String) -> RefusedRequest.Kind? {
        if error.refusedKey != nil { return .unknownKey }
        guard IngestRoutes.paths.contains(path) else { return nil }
        switch error.reason {
        case .unauthorized: return .unknownKey
        case .invalid, .tooLarge, .wrongMediaType: return .unreadableBody
        default: return nil
        }
    }

    /// Whether an unknown path may be that of a client: programs that look for holes ask for other paths.
    private static func isOfClient(_ request: Request) -> Bool {
        let path = request.uri.path
        guard !path.hasPrefix("/api/") else { return false }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let isOfVersion = path.dropFirst().first == "v" && path.dropFirst(2).first?.isNumber == true
        return isOfVersion || IngestRoutes.paths.contains("/\(last)") && request.method == .post
    }
}
