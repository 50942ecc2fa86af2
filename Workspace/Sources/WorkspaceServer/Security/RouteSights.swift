import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Which routes of the administration answer tokens and logins that do not see the whole workspace.
///
/// The description of the HTTP API says so for each route. A route of which it says nothing refuses them, so a new route
/// shows nothing by mistake.
///
/// - `x-sources: seen`: the answer has only sources that the request sees. A route with the write key in its path needs no
///   such mark: the key is checked here, and so is one in the query.
/// - `x-personal-data: hidden`: the answer has no personal data for a request that sees none.
struct RouteSights: Sendable {
    private struct Route {
        let isOfSeenSources: Bool
        let hidesPersonalData: Bool
    }

    private let routes: [String: Route]

    /// - Parameter document: a description in the form of OpenAPI.
    init(_ document: JSON) {
        var routes: [String: Route] = [:]
        for (path, item) in document["paths"]?.objectValue ?? [:] {
            for (method, operation) in item.objectValue ?? [:] where method != "servers" {
                routes[DescribedRoute.address(method.uppercased(), path)] = Route(
                    isOfSeenSources: path.contains("{writeKey}") || operation["x-sources"] == "seen",
                    hidesPersonalData: operation["x-personal-data"] == "hidden")
            }
        }
        self.routes = routes
    }

    /// The limits in the description that the workspace serves.
    static func described() throws -> RouteSights {
        RouteSights(try JSON.parse(EmbeddedFile.named("openapi.json").text))
    }

    /// - Parameter sees: whether the request sees the source with a name.
    /// - Throws: the answer to a request that does not see what the route is for. A source that it does not see is answered like
    ///   one that is not there.
    func check(
        _ administrator: Administrator, _ request: Request, _ context: WorkspaceContext,
        sees: (String) async -> Bool
    ) async throws {
        guard !administrator.sight.isAll else { return }
        let name = administrator.words
        let route = context.endpointPath.flatMap { routes[DescribedRoute.address(request.method.rawValue, $0)] }
        if administrator.sight.personalData == .hidden, route?.hidesPersonalData != true {
            throw Refusal(.forbidden, "\(name) sees no personal data, which may be part of this")
        }
        guard administrator.sight.sources != nil else { return }
        guard route?.isOfSeenSources == true else {
            throw Refusal(.forbidden, "\(name) is limited to some sources; this is for tokens of all sources")
        }
        var writeKeys = QueryReader(request).texts("writeKey")
        if context.parameters.get("writeKey") != nil { writeKeys.append(try context.pathParameter("writeKey")) }
        for writeKey in writeKeys {
            guard await sees(writeKey) else { throw Refusal.unknownSource(writeKey) }
        }
    }
}
