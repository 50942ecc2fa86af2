import TributaryJSON
import WorkspaceCore

/// Asks the questions of the board, by the searches of the HTTP API.
struct BoardAsking: Sendable {
    let sources: SourceRegistry
    let catalog: CatalogRoutes
    let breakdown: BreakdownRoutes
    let people: PeopleRoutes
    let scans: Scans
    let now: @Sendable () -> Int64

    /// The answer without keys of sources, in the form of that of the API.
    /// - Throws: `Refusal`, of which a reader of a link may not see the message.
    func answer(_ question: BoardQuestion) async throws -> JSON {
        if question.kind == .source { return try await ofSources(question) }
        let source = try await source(of: question)
        let limit = question.kind == .name ? Limits.boardNames : Limits.boardValues
        let reader = try question.reader(
            writeKey: source.writeKey, zone: source.policy.timeZone, limit: limit, now: now())
        let answer = SteppingAnswer(scans: scans, limit: limit)
        switch question.kind {
        case .type, .name, .source:
            return Self.shown(try await catalog.catalog(reader), hasNames: question.kind == .name)
        case .property: return try await answer.result(of: breakdown.search(reader))
        case .funnel: return try await answer.result(of: people.funnel(reader))
        case .retention: return try await answer.result(of: people.retention(reader))
        }
    }

    private func source(of question: BoardQuestion) async throws -> Source {
        if let writeKey = question.source { return try await sources.known(writeKey) }
        guard let first = await sources.all().first else { throw Refusal.notFound("there is no source") }
        return first
    }

    /// A catalog of all sources with their names.
    private func ofSources(_ question: BoardQuestion) async throws -> JSON {
        let zone = try await source(of: question).policy.timeZone
        var parts: [JSON] = []
        var days: JSON?
        for (index, source) in await sources.all().enumerated() {
            let reader = try question.reader(writeKey: source.writeKey, zone: zone, limit: 1, now: now())
            let catalog = try await catalog.catalog(reader)
            days = days ?? catalog["days"]
            parts.append([
                "name": .string(source.nameForReaders ?? "source \(index + 1)"),
                "types": Self.shown(catalog, hasNames: false)["types"] ?? [],
            ])
        }
        return ["days": days ?? [], "sources": .array(parts)]
    }

    /// The counts of a catalog without properties and plan.
    private static func shown(_ catalog: JSON, hasNames: Bool) -> JSON {
        func rows(_ name: String, _ members: [String]) -> JSON {
            .array(
                (catalog[name]?.elements ?? []).map { row in
                    var shown = JSONObject()
                    for member in members { shown[member] = row[member] }
                    return .object(shown)
                })
        }
        return [
            "days": catalog["days"] ?? [], "types": rows("types", ["type", "days"]),
            "names": hasNames ? rows("names", ["type", "name", "days"]) : [],
        ]
    }
}

extension Source {
    /// Its name; nil for a source without one, or with one of its keys as its name.
    fileprivate var nameForReaders: String? {
        name.isEmpty || name == writeKey || keys.contains { $0.key == name } ? nil : name
    }
}

extension Limits {
    /// Names and values of a question of the board, as the page asks for them.
    static let boardNames = 500
    static let boardValues = 50
}
