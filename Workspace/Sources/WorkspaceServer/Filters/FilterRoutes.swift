import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes that deploy filter rules and list the deployed versions.
struct FilterRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/filters") { request, context in
            try await rules(try QueryReader(request).number("version"), context.pathParameter("writeKey"))
        }
        router.put("api/sources/:writeKey/filters") { request, context in
            let rules = try await AdministrationBody.json(request)
            let query = QueryReader(request)
            try RoutingRules.check(rules, for: try query.flag("unchecked") ? .form : .meaning)
            let plan = try query.rolloutPlan()
            _ = try await sources.deployFilters(rules, plan: plan, to: context.pathParameter("writeKey"))
            return Response.json(rules)
        }
        router.get("api/sources/:writeKey/filters/versions") { _, context in
            try await list(context.pathParameter("writeKey"))
        }
        router.post("api/sources/:writeKey/filters/rollback") { request, context in
            try await rollBack(request, context.pathParameter("writeKey"))
        }
    }

    /// The rules for all devices, or those of a version.
    private func rules(_ version: Int64?, _ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        guard let version else { return Response.json(source.filters) }
        guard let rules = try await store.filterRules(source: source.id, version: version) else {
            throw Refusal.notFound("the source \(writeKey) has no version \(version) of the filters")
        }
        return Response.json(rules)
    }

    private func list(_ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        let versions = try await store.filterSets(source: source.id)
        return Response.json([
            "current": .number(versions.first?.version), "forAll": .number(source.filtersForAll?.set.version),
            "versions": .array(versions.map(\.summary)),
        ])
    }

    /// Version numbers only grow, so a roll-back is a new version with the rules of an older one.
    private func rollBack(_ request: Request, _ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        let wanted = try await AdministrationBody.optionalJSON(request)?["version"]?.intValue.map(Int64.init)
        let versions = try await store.filterSets(source: source.id)
        guard let version = Self.target(wanted, among: versions, forAll: source.filtersForAll?.set.version) else {
            let what = wanted.map { "no version \($0)" } ?? "no version with other rules"
            throw Refusal.notFound("the source \(writeKey) has \(what) of the filters to go back to")
        }
        let changed = try await sources.redeployFilters(version, of: writeKey)
        guard var json = changed.newestFilters?.set.summary else { throw Refusal.unknownSource(writeKey) }
        json["contentOf"] = .number(version)
        return Response.json(json)
    }

    /// The version to go back to; nil when there is none. Before the first version there were no rules, which is version 0.
    /// - Parameter wanted: nil for the version for all devices during a roll-out, and else for the newest with other rules.
    private static func target(_ wanted: Int64?, among versions: [FilterSet], forAll: Int64?) -> Int64? {
        guard let newest = versions.first else { return nil }
        if let wanted { return wanted == 0 || versions.contains { $0.version == wanted } ? wanted : nil }
        if newest.isStaged { return forAll ?? 0 }
        return versions.first { $0.sha256 != newest.sha256 }?.version ?? (newest.count > 0 ? 0 : nil)
    }
}
