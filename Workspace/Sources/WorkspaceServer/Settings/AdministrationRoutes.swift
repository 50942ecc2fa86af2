import Foundation
import Hummingbird
import NIOCore
import TributaryJSON
import WorkspaceCore

/// Routes for operators: sources and settings of destinations.
struct AdministrationRoutes: Sendable {
    let sources: SourceRegistry
    let makeWriteKey: @Sendable () -> String
    let removals: DeletionRuns<JSON>
    var patience = Limits.erasureAnswer

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources") { _, _ in
            Response.json(["sources": .array(await sources.all().map(\.summary))])
        }
        router.post("api/sources") { request, _ in try await makeSource(request) }
        router.delete("api/sources/:writeKey") { _, context in
            let writeKey = try context.pathParameter("writeKey")
            switch try await removals.delete(writeKey, by: Administrator.current, within: patience) {
            case .finished(let removed): return Response.json(removed)
            case .running(let progress): return Response.json(progress.json, status: .accepted)
            }
        }
        router.put("api/sources/:writeKey") { request, context in
            try await putSource(request, context.pathParameter("writeKey"))
        }
        router.get("api/sources/:writeKey/integrations") { _, context in
            Response.json(.object(try await source(context).integrations))
        }
        router.put("api/sources/:writeKey/integrations") { request, context in
            try await putIntegrations(request, context.pathParameter("writeKey"))
        }
    }

    private func source(_ context: WorkspaceContext) async throws -> Source {
        try await sources.known(context.pathParameter("writeKey"))
    }

    private func makeSource(_ request: Request) async throws -> Response {
        let body = try await AdministrationBody.optionalJSON(request) ?? [:]
        guard let members = body.objectValue, members.allSatisfy({ ["writeKey", "name"].contains($0.key) }),
            members.allSatisfy({ $0.value.stringValue != nil })
        else { throw Refusal.invalid("the body is an object with a writeKey and a name, both texts; or empty") }
        let writeKey = body["writeKey"]?.stringValue ?? makeWriteKey()
        guard WriteKey.isValid(writeKey) else { throw Refusal.invalid(WriteKey.rule) }
        let name = body["name"]?.stringValue
        if let name { try Self.checkName(name) }
        let source = try await sources.make(writeKey, name: name)
        return Response.json(source.summary, status: .created)
    }

    private func putSource(_ request: Request, _ writeKey: String) async throws -> Response {
        guard WriteKey.isValid(writeKey) else {
            throw Refusal.invalid(WriteKey.rule)
        }
        let body = try await AdministrationBody.optionalJSON(request)
        let name = body?["name"]
        guard body?.objectValue != nil || body == nil, name == nil || name?.stringValue != nil else {
            throw Refusal.invalid("the body is an object with a name, or empty")
        }
        if let name = name?.stringValue { try Self.checkName(name) }
        let (source, isNew) = try await sources.put(writeKey, name: name?.stringValue)
        return Response.json(source.summary, status: isNew ? .created : .ok)
    }

    private static func checkName(_ name: String) throws(Refusal) {
        try PlainName.check(name, of: "a source", atMost: Limits.sourceNameLength)
    }

    private func putIntegrations(_ request: Request, _ writeKey: String) async throws -> Response {
        guard let changes = try await AdministrationBody.json(request).objectValue else {
            throw Refusal.invalid("the body must be a JSON object of settings by destination")
        }
        for (name, value) in changes where value.objectValue == nil && !value.isNull {
            throw Refusal.invalid("the settings of \(name) must be an object, or null to take it out")
        }
        for (name, value) in changes where !value.isNull {
            try PlainName.check(name, of: "a destination", atMost: Limits.destinationNameLength)
        }
        return Response.json(.object(try await sources.mergeIntegrations(changes, of: writeKey).integrations))
    }
}
