import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the tracking plan of a source.
struct PlanRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/plan") { _, context in
            Response.json(try await sources.known(context.pathParameter("writeKey")).plan.json)
        }
        router.put("api/sources/:writeKey/plan") { request, context in
            let plan = try TrackingPlan(try await AdministrationBody.json(request))
            return Response.json(
                try await sources.changePlan(of: context.pathParameter("writeKey")) { _ in plan }.plan.json)
        }
        router.post("api/sources/:writeKey/plan/events") { request, context in
            let event = try TrackingPlan.Event(try await AdministrationBody.json(request), "the event")
            let source = try await sources.changePlan(of: context.pathParameter("writeKey")) { plan throws(Refusal) in
                try plan.putting(event)
            }
            return Response.json(source.plan.json)
        }
        router.post("api/sources/:writeKey/plan/import") { request, context in
            try await take(request, context.pathParameter("writeKey"))
        }
        router.get("api/sources/:writeKey/plan/violations") { request, context in
            try await violations(QueryReader(request), context.pathParameter("writeKey"))
        }
        router.get("api/sources/:writeKey/plan/differing") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            let query = QueryReader(request)
            return try await request.whileClientStays { try await differing(query, writeKey) }
        }
        router.get("api/events/:messageId/plan") { _, context in
            try await comparison(of: context.pathParameter("messageId"))
        }
    }

    /// Compares one stored event with the plan of its source.
    private func comparison(of messageId: String) async throws -> Response {
        await readYourWrites.wait()
        guard let text = try await store.event(messageId: messageId), let event = try? JSON.parse(text),
            let writeKey = event["writeKey"]?.stringValue
        else { throw Refusal.notFound("there is no event with the messageId \(messageId)") }
        let judge = PlanJudge(try await sources.known(writeKey).plan)
        let body = event["event"]?.encoded() ?? []
        let problems = judge.map { judge in
            PlanDiffering.name(of: body).map { judge.problems(of: $0, body) } ?? []
        }
        return Response.json([
            "writeKey": .string(writeKey), "hasPlan": .bool(judge != nil),
            "problems": .array((problems ?? []).map(\.json)),
        ])
    }

    /// Adds the events of a JSON Schema to the plan, or says what that would do.
    private func take(_ request: Request, _ writeKey: String) async throws -> Response {
        let isDry = try QueryReader(request).flag("dryRun")
        let schema = try PlanSchema(try await AdministrationBody.json(request))
        let source = try await sources.known(writeKey)
        var plan = source.plan
        for event in schema.events { plan = try plan.putting(event) }
        let before = source.plan
        if !isDry {
            plan = try await sources.changePlan(of: writeKey) { stored throws(Refusal) in
                var plan = stored
                for event in schema.events { plan = try plan.putting(event) }
                return plan
            }.plan
        }
        return Response.json(schema.json(before: before, after: plan, isStored: !isDry))
    }

    private func violations(_ query: QueryReader, _ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        let days = try query.wholeDays(now: now())
        guard store.storage.hasDayFiles else {
            throw Refusal(
                .unsupported,
                "a cluster does not count the events that differ from the plan by the day; the catalog compares them, "
                    + "and plan/differing lists them")
        }
        await readYourWrites.wait()
        return Response.json(try await store.planCounts(of: source.id, on: days).json(on: days))
    }

    private func differing(_ query: QueryReader, _ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        var events = try query.eventQuery(matching: [.type, .name])
        events.limit = try query.number("limit").map(Int.init) ?? Limits.planDiffering
        guard (1...Limits.planDiffering).contains(events.limit) else {
            throw Refusal.invalid("limit is a number from 1 to \(Limits.planDiffering)")
        }
        events.matches.append(EventQuery.Match(column: .writeKey, value: writeKey))
        let kind = query.text("problem").map { (text: $0, kind: PlanJudge.Problem.Kind(rawValue: $0)) }
        if let kind, kind.kind == nil {
            let kinds = PlanJudge.Problem.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal.invalid("there is no problem \(kind.text); it is one of \(kinds)")
        }
        guard let judge = PlanJudge(source.plan) else {
            throw Refusal(.conflict, "the source has no planned events to compare with")
        }
        let search = PlanDiffering(judge: judge, problem: kind?.kind, key: query.text("key"))
        await readYourWrites.wait()
        let page = try await scans.take { [events] in try await store.differing(search, events, scans) }
        return Response.json(page)
    }
}
