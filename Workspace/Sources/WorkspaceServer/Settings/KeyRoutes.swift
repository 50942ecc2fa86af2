import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the keys of sources. A key can be replaced while apps go on sending.
struct KeyRoutes: Sendable {
    let sources: SourceRegistry
    let makeWriteKey: @Sendable () -> String

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/keys") { _, context in
            let writeKey = try context.pathParameter("writeKey")
            let source = try await sources.known(writeKey)
            return Self.list(source)
        }
        router.post("api/sources/:writeKey/keys") { request, context in
            try await add(request, to: context.pathParameter("writeKey"))
        }
        router.delete("api/sources/:writeKey/keys/:key") { _, context in
            let key = try context.pathParameter("key")
            return Self.list(try await sources.revokeKey(key, of: context.pathParameter("writeKey")))
        }
    }

    private func add(_ request: Request, to writeKey: String) async throws -> Response {
        let body = try await AdministrationBody.optionalJSON(request) ?? [:]
        guard let members = body.objectValue, members.allSatisfy({ ["key", "name"].contains($0.key) }),
            members.allSatisfy({ $0.value.stringValue != nil })
        else { throw Refusal.invalid("the body is an object with a key and a name, both of them texts; or empty") }
        let key = body["key"]?.stringValue ?? makeWriteKey()
        guard WriteKey.isValid(key) else { throw Refusal.invalid(WriteKey.rule) }
        let name = body["name"]?.stringValue ?? key
        if body["name"] != nil { try PlainName.check(name, of: "a key", atMost: Limits.keyNameLength) }
        let source = try await sources.addKey(key, name: name, to: writeKey)
        let added = source.keys.first { $0.key == key }
        return Response.json(added?.summary ?? .null, status: .created)
    }

    private static func list(_ source: Source) -> Response {
        Response.json(["keys": .array(source.keys.map(\.summary))])
    }
}
