import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for named tokens. Each token has a role, and may have limits.
struct TokenRoutes: Sendable {
    let access: AdminAccess
    let sources: SourceRegistry
    /// Called with the name of a token that was revoked.
    let onRevoked: @Sendable (String) async -> Void

    private static let members = ["name", "role", "sources", "endsAt", "personalData"]
    private static let rule =
        "the body is an object with a name, and the role: " + Role.allCases.map(\.rawValue).joined(separator: ", ")
        + "; it may have sources, endsAt and personalData"

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
        guard let members = body.objectValue, members.allSatisfy({ Self.members.contains($0.key) }),
            let name = body["name"]?.stringValue, let role = body["role"]?.stringValue.flatMap(Role.init)
        else { throw Refusal.invalid(Self.rule) }
        try PlainName.check(name, of: "a token", atMost: Limits.tokenNameLength)
        let sight = Sight(sources: try await sources(members), personalData: try Self.personalData(members))
        guard sight.personalData == .shown || role == .look else {
            throw Refusal.invalid(
                "a token without personal data has the role look: who deploys code or destinations can send it elsewhere"
            )
        }
        let end = try Self.end(members)
        if let latest = Administrator.current.endsAt, end ?? .max > latest {
            throw Refusal(
                .forbidden,
                "this token ends at \(JSON.time(latest).stringValue ?? ""), and makes no token that is valid for longer"
            )
        }
        let text = try await access.addToken(named: name, role: role, sight: sight, endsAt: end)
        return Response.json(
            ["name": .string(name), "role": .string(role.rawValue), "token": .string(text)], status: .created)
    }

    /// The numbers of the sources that a body names; nil for all sources.
    private func sources(_ members: JSONObject) async throws -> Set<Int64>? {
        guard let value = members["sources"], !value.isNull else { return nil }
        guard let names = value.elements?.map(\.stringValue), !names.isEmpty, names.count <= Limits.tokenSources,
            !names.contains(nil)
        else {
            throw Refusal.invalid(
                "sources is a list of 1 to \(Limits.tokenSources) write keys, or null for all sources")
        }
        var sources: Set<Int64> = []
        for case let name? in names { sources.insert(try await self.sources.known(name).id) }
        return sources
    }

    private static func personalData(_ members: JSONObject) throws(Refusal) -> Sight.PersonalData {
        try members.member("personalData", "personalData is shown or hidden") {
            $0.stringValue.flatMap(Sight.PersonalData.init)
        } ?? .shown
    }

    private static func end(_ members: JSONObject) throws(Refusal) -> Int64? {
        guard let value = members["endsAt"], !value.isNull else { return nil }
        guard let text = value.stringValue, let time = EventTime.milliseconds(text) else {
            throw .invalid(
                "endsAt is a time such as 2027-01-31T18:00:00Z, or the last day, which ends at midnight in UTC")
        }
        // A day alone is the last one on which the token is valid.
        return text.utf8.count == 10 ? time + Day.milliseconds : time
    }

    private func list() async -> Response {
        let all = await sources.all()
        let writeKeys = Dictionary(all.map { ($0.id, $0.writeKey) }) { first, _ in first }
        return Response.json(["tokens": .array(await access.shownTokens(writeKeys))])
    }
}
