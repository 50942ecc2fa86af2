import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows which events a source has, by their names and properties.
struct CatalogRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/catalog") { request, _ in Response.json(try await catalog(QueryReader(request))) }
    }

    /// The answer to a query.
    func catalog(_ query: QueryReader) async throws -> JSON {
        guard let writeKey = query.text("writeKey") else { throw Refusal.invalid("writeKey names the source") }
        let source = try await sources.known(writeKey)
        let zone = try query.zone(of: source)
        let days = try query.wholeDays(now: now(), in: zone)
        let limit = try query.catalogNames()
        let type = try query.eventType()
        let name = query.text("name")
        let wantsProperties = query.text("properties") != "false"
        await readYourWrites.wait()
        let counts = try await store.storage.nameCounts(
            of: source.id, on: days.inUTC(of: zone), plan: source.plan, byHour: zone != nil
        ).filter { count in
            (type.map { count.name.type == $0 } ?? true) && (name.map { count.name.mayBe($0) } ?? true)
        }
        let catalog = EventCatalog(counts, days: days, in: zone, limit: limit)
        let plan = source.plan.events.isEmpty ? nil : source.plan.of(type, name)
        let hiding = try await store.hiding()
        func answer(_ json: JSON) -> JSON { hiding?.hidden(counts: json) ?? json }
        guard wantsProperties else { return answer(catalog.json(nil, plan: plan)) }
        let properties = try await store.storage.properties(
            of: catalog.entries.map(\.name), source: source.id, on: days, plan: source.plan)
        let hasValues = plan?.events.contains { $0.properties.contains { !$0.values.isEmpty } } ?? false
        let values = hasValues ? try await store.planCounts(of: source.id, on: days).values : [:]
        return answer(catalog.json(properties, plan: plan, values: values))
    }
}

extension TrackingPlan {
    /// The part of the plan for the events that are asked for.
    fileprivate func of(_ type: EventType?, _ name: String?) -> TrackingPlan {
        keeping { event in
            (type.map { event.name.type == $0 } ?? true)
                && (name.map { event.name.text?.isSameText(as: $0) == true } ?? true)
        }
    }
}

extension CountedName {
    /// Whether these counts may include events of that name.
    fileprivate func mayBe(_ name: String) -> Bool { label == .others || text?.isSameText(as: name) == true }
}

extension QueryReader {
    fileprivate func catalogNames() throws(Refusal) -> Int {
        let limit = try number("limit") ?? Limits.catalogNames
        guard (1...Limits.catalogMostNames).contains(limit) else {
            throw .invalid("limit is a number from 1 to \(Limits.catalogMostNames)")
        }
        return Int(limit)
    }

    fileprivate func eventType() throws(Refusal) -> EventType? {
        guard let text = text("type") else { return nil }
        guard let type = EventType(rawValue: text) else {
            let types = EventType.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("there is no type \(text); it is one of \(types)")
        }
        return type
    }
}
