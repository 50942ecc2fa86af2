import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for named tokens. Each token has a role.
struct TokenRoutes: Sendable {
    let access: AdminAccess
    /// Called with the name of a token that was revoked.
    let onRevoked: @Sendable (String) async -> Void

    private static let rule =
        "the body is an object with a name, and the role: " + Role.allCases.map(\.rawValue).joined(separator: ", ")

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/tokens") { _, _ in await list() }
        router.post("api/tokens") { request, _ in try await add(request) }
        router.delete("api/tokens/:name") { _, context in
            let name = try context.pathParameter("name")
            try await access.revokeToken(named: name)
            await onRevoked(name)
            return await list()
        }
    }

    private func add(_ request: Request) async throws -> Response {
        let body = try await AdministrationBody.json(request)
        guard let members = body.objectValue, members.count == 2, let name = body["name"]?.stringValue,
            let role = body["role"]?.stringValue.flatMap(Role.init)
        else { throw Refusal.invalid(Self.rule) }
        try PlainName.check(name, of: "a token", atMost: Limits.tokenNameLength)
        let text = try await access.addToken(named: name, role: role)
        return Response.json(
            ["name": .string(name), "role": .string(role.rawValue), "token": .string(text)], status: .created)
    }

    private func list() async -> Response {
        Response.json(["tokens": .array(await access.namedTokens().map(\.summary))])
    }
}
