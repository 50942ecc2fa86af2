import Hummingbird
import WorkspaceCore

/// Counts requests and measures the time of their answers.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: ServerMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let duration = start.duration(to: .now)
        metrics.answered(Self.area(request), Int(response.status.code), seconds: duration / .seconds(1))
        return response
    }

    /// A few fixed labels: a path that a client invents must not make a series of its own.
    private static func area(_ request: Request) -> String {
        let parts = request.uri.path.split(separator: "/").drop { $0 == "v1" }
        guard let first = parts.first else { return "page" }
        switch first {
        case "api": return "administration"
        case "projects":
            guard parts.last == "settings" else { return "live-plugins" }
            // Held requests say nothing about how fast the server is.
            return request.uri.queryParameters["wait"] == nil ? "settings" : "held-settings"
        case "health", "ready", "metrics": return "health"
        case "login", "logout": return "page"
        default: return request.method == .post ? "ingest" : "other"
        }
    }
}
