import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Sends stored events to a destination once more.
struct ReplayRoutes: Sendable {
    let access: DestinationAccess
    let scans: Scans

    func add(to router: some RouterMethods<WorkspaceContext>) {
        let path: RouterPath = "api/sources/:writeKey/destinations/:name/replay"
        router.post(path) { request, context in try await begin(request, context) }
        router.get(path) { _, context in
            let destination = try await access.destination(context).destination
            guard let replay = try await access.store.replay(to: destination.id) else {
                throw Refusal.notFound("there is no replay to \(destination.name)")
            }
            return Response.json(try await answer(replay))
        }
        router.delete(path) { _, context in try await set(.ended, context) }
        router.post("api/sources/:writeKey/destinations/:name/replay/pause") { _, context in
            try await set(.paused, context)
        }
        router.post("api/sources/:writeKey/destinations/:name/replay/resume") { _, context in
            try await set(.running, context)
        }
    }

    private func begin(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        let text = request.uri.query ?? ""
        let query = try ReplayQuery(text)
        let isTrial = try QueryReader(request).flag("dryRun")
        let (source, destination) = try await access.destination(context)
        guard destination.kind.takesLate else {
            throw Refusal(
                .conflict,
                "objects are written once; to have stored events again, make the destination anew with another prefix, "
                    + "from the start")
        }
        await access.wait()
        // Later events were not tried yet, and are delivered in any case.
        let tried = access.states.state(of: destination.id)?.position
        let noted = try await access.store.figures(of: destination.id).position
        let replay = Replay(
            destination: destination.id, query: text, rate: query.rate, position: 0, through: tried ?? noted,
            administrator: Administrator.current.token ?? Administrator.current.way.rawValue, startedAt: access.now())
        if isTrial {
            return try await request.whileClientStays {
                Response.json(try await trial(replay, destination, of: source).json)
            }
        }
        try await access.store.begin(replay, of: destination, writeKey: source.writeKey)
        return Response.json(try await answer(replay), status: .created)
    }

    private func trial(_ replay: Replay, _ destination: Destination, of source: Source) async throws -> ReplayTrial {
        let events = ForwardableEvents(
            store: access.store, sources: access.sources, writeKey: source.writeKey, source: source.id,
            destination: destination.name, categories: destination.categories, logger: access.logger)
        let end = ContinuousClock.now + Limits.replayTrial
        var (trial, replay) = (ReplayTrial(), replay)
        while true {
            try Task.checkCancellation()
            let page = try await events.chosen(
                replay.rest(of: source.writeKey, limit: Limits.objectPage), scans)
            trial.take(page.candidates)
            replay.position = page.through
            if page.isLast { return trial }
            guard ContinuousClock.now < end else {
                trial.isComplete = false
                return trial
            }
        }
    }

    private func set(_ state: Replay.State, _ context: WorkspaceContext) async throws -> Response {
        let (source, destination) = try await access.destination(context)
        let replay = try await access.store.set(
            state, ofReplayTo: destination, writeKey: source.writeKey, now: access.now())
        return Response.json(try await answer(replay))
    }

    /// The replay, and how many events of its destination wait for an attempt.
    private func answer(_ replay: Replay) async throws -> JSON {
        var json = replay.json
        json["waiting"] = .number(try await access.store.waitingCount(of: replay.destination))
        return json
    }
}
