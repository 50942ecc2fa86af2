import Foundation
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the function of a source.
struct SourceFunctionRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let functions: SourceFunctions
    let makeSecret: @Sendable () -> [UInt8]
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/function") { _, context in
            let source = try await sources.known(context.pathParameter("writeKey"))
            guard let function = source.function else { throw Refusal.withoutFunction(source.writeKey) }
            return Response.json(summary(function, of: source))
        }
        router.put("api/sources/:writeKey/function") { request, context in
            let body = try await AdministrationBody.json(request)
            let source = try await sources.known(context.pathParameter("writeKey"))
            let (function, changed) = try await put(try Change(body), source)
            return Response.json(summary(function, of: changed), status: source.function == nil ? .created : .ok)
        }
        router.delete("api/sources/:writeKey/function") { _, context in
            let source = try await sources.removeFunction(of: context.pathParameter("writeKey"))
            functions.forget(source.id)
            return Response.json(["removed": .string(source.writeKey)])
        }
        router.get("api/sources/:writeKey/function/versions") { _, context in
            Response.json(try await versions(of: try await source(context)).json)
        }
        router.get("api/sources/:writeKey/function/versions/:version") { _, context in
            let version = try await versions(of: try await source(context)).version(context.pathNumber("version"))
            return Response.json(FunctionVersionList.json(version, for: Administrator.current.role))
        }
        router.post("api/sources/:writeKey/function/rollback") { request, context in
            let wanted = try FunctionVersion.wanted(try await AdministrationBody.optionalJSON(request))
            return try await rollBack(try await source(context), to: wanted)
        }
    }

    private func source(_ context: WorkspaceContext) async throws -> Source {
        let source = try await sources.known(context.pathParameter("writeKey"))
        guard source.function != nil else { throw Refusal.withoutFunction(source.writeKey) }
        return source
    }

    private func versions(of source: Source) async throws -> FunctionVersionList {
        FunctionVersionList(
            versions: try await store.versions(of: .source(source.id)), owner: "the source \(source.writeKey)")
    }

    /// Stores an older version again, as a new one. It is checked as any other, because a secret that it needs may be gone.
    private func rollBack(_ source: Source, to wanted: Int64?) async throws -> Response {
        let target = try await versions(of: source).target(wanted)
        let change = Change(code: target.settings["code"] ?? "", values: target.settings["settings"] ?? [:])
        _ = try await put(change, source)
        return Response.json(try await versions(of: source).rolledBack(to: target))
    }

    /// The parts of a new or changed function.
    private struct Change {
        private static let members = ["code", "template", "settings", "secrets"]

        let object: JSONObject
        let secrets: [String: String?]

        init(_ json: JSON) throws(Refusal) {
            let list = Self.members.joined(separator: ", ")
            guard let object = json.objectValue else { throw .invalid("the body is an object with \(list)") }
            if let stranger = object.first(where: { !Self.members.contains($0.key) }) {
                throw .invalid("a source function has no \(stranger.key); it has \(list)")
            }
            self.object = object
            secrets = try object["secrets"].map(FunctionSecrets.change) ?? [:]
        }

        /// The code and the values of the settings of an older version.
        init(code: JSON, values: JSON) {
            (object, secrets) = (["code": code, "settings": values], [:])
        }

        /// The settings after the change. Others stay.
        func settings(_ old: SourceFunction?) throws(Refusal) -> SourceFunctionSettings {
            var settings = old?.settings ?? [:]
            settings["declaration"] = Optional<JSON>.none
            if object["code"] != nil || object["template"] != nil { settings["code"] = Optional<JSON>.none }
            for name in ["code", "template", "settings"] {
                if let value = object[name] { settings[name] = value }
            }
            return try SourceFunctionSettings(settings)
        }
    }

    /// The code is loaded, and everything about it is checked, before it is stored.
    private func put(_ change: Change, _ source: Source) async throws -> (SourceFunction, Source) {
        let old = source.function
        var settings = try change.settings(old)
        let json = try await functions.worker(settings, label: source.writeKey).declared()
        let declaration = try SourceFunctionDeclaration(json)
        settings.declaration = declaration
        // In the types that the class declares.
        for (name, _) in settings.values { settings.values[name] = json["values"]?[name] }
        let secrets = try declaration.secrets(FunctionSecrets(old?.secrets ?? [:]), changedBy: change.secrets)
        let function = SourceFunction(
            hook: old?.hook ?? Data(makeSecret().prefix(Limits.hookBytes)).hexadecimal, settings: settings.json,
            secrets: JSONObject(secrets.values.mapValues(JSON.string)), createdAt: old?.createdAt ?? now(),
            updatedAt: now())
        let changed = try await sources.putFunction(
            function, replacing: old, of: source.writeKey,
            details: [
                "class": declaration.json["class"] ?? .null,
                "newCode": .bool(old?.settings["code"] != function.settings["code"]),
                "changedSecrets": .strings(change.secrets.keys.sorted()),
            ])
        return (function, changed)
    }

    /// The function as the administration shows it, without secrets. The hook alone may be enough to send requests, and code may
    /// have a token of another service, so only a role that may change the function sees them.
    private func summary(_ function: SourceFunction, of source: Source) -> JSON {
        let isShown = Administrator.current.role >= .administer
        return [
            "path": isShown ? .string("/v1/hooks/\(function.hook)") : .null,
            "code": isShown ? function.settings["code"] ?? "" : "…", "settings": function.settings["settings"] ?? [:],
            "declaration": function.settings["declaration"] ?? [:],
            "secrets": .strings(function.secrets.map(\.key).sorted()), "createdAt": .time(function.createdAt),
            "updatedAt": .time(function.updatedAt), "requests": functions.record(of: source.id).json,
        ]
    }
}
