import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the tracking plan of a source.
struct PlanRoutes: Sendable {
    let sources: SourceRegistry

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
    }
}
