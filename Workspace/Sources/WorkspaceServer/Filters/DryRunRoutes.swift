import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows operators the effect of rules before they deploy them.
struct DryRunRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let readYourWrites: ReadYourWrites
    let scans: Scans
    /// One at a time: each keeps a core and a connection of the database busy.
    private let turn = SingleRun("dry run", places: 8)

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/filters/dry-run") { request, context in
            let writeKey = try context.pathParameter("writeKey")
            let source = try await sources.known(writeKey)
            let forwarding = try await store.destinations(of: source.id).map(\.name)
            let known = Set(source.integrations.map(\.key) + [Source.cloudName] + forwarding)
            let query = QueryReader(request)
            let last = try query.lastEvents()
            let matches = try query.eventQuery(matching: [.type, .name]).matches
            let run = try DryRun(
                try await AdministrationBody.json(request), destination: query.text("destination"), known: known)
            await readYourWrites.wait()
            return try await turn.take {
                let end = ContinuousClock.now + Limits.dryRunTime
                return try await request.whileClientStays {
                    try await scans.take {
                        let run = try await store.dryRun(
                            run, writeKey: writeKey, last: last, matching: matches, scans: scans
                        ) { ContinuousClock.now >= end }
                        return Response.json(run.json)
                    }
                }
            }
        }
    }
}

extension QueryReader {
    /// The number of the newest events that are tested.
    fileprivate func lastEvents() throws(Refusal) -> Int {
        guard let text = text("last") else { return Limits.dryRunEvents }
        guard let last = Int(text), (1...Limits.dryRunMostEvents).contains(last) else {
            throw .invalid("last is a number from 1 to \(Limits.dryRunMostEvents)")
        }
        return last
    }
}
