import HTTPTypes
import TributaryJSON

/// The role that each route of the administration needs, as the description of the HTTP API has it.
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

    /// Those of the description that the workspace hands out.
    static func described() throws -> RouteRoles {
        RouteRoles(try JSON.parse(EmbeddedFile.named("openapi.json").text))
    }

    /// A route that the description does not know needs the highest role.
    /// - Parameter path: of the route, with its parameters behind colons or in braces.
    func role(of method: HTTPRequest.Method, at path: String?) -> Role {
        path.flatMap { roles[DescribedRoute.address(method.rawValue, $0)] } ?? .administer
    }
}
