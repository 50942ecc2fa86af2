import HTTPTypes
import TributaryJSON
import WorkspaceCore

/// The role that each route of the administration needs. The description of the HTTP API defines it.
struct RouteRoles: Sendable {
    private let roles: [String: Role]

    /// - Parameter document: a description in the form of OpenAPI.
    init(_ document: JSON) {
        var roles: [String: Role] = [:]
        for (path, item) in document["paths"]?.objectValue ?? [:] {
            for (method, operation) in item.objectValue ?? [:] where method != "servers" {
                guard let schemes = operation["security"]?.elements else { continue }
                let named = schemes.compactMap { $0["token"]?.elements?.first?.stringValue }.first
                roles[DescribedRoute.address(method.uppercased(), path)] = named.flatMap(Role.init)
            }
        }
        self.roles = roles
    }

    /// The roles in the description that the workspace serves.
    static func described() throws -> RouteRoles {
        RouteRoles(try JSON.parse(EmbeddedFile.named("openapi.json").text))
    }

    /// The role for a route. A route that is not in the description needs the highest role.
    /// - Parameter path: the path of the route, with parameters after colons or in braces.
    func role(of method: HTTPRequest.Method, at path: String?) -> Role {
        path.flatMap { roles[DescribedRoute.address(method.rawValue, $0)] } ?? .administer
    }
}
