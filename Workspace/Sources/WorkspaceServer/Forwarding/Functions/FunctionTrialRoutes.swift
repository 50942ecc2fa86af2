import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows what a function would send of the newest stored events. Nothing is sent.
struct FunctionTrialRoutes: Sendable {
    let access: DestinationAccess
    let functions: FunctionCheck
    let scans: Scans
    /// One at a time, because each keeps a core busy.
    private let turn = SingleRun("trial of a destination function", places: 8)

    init(access: DestinationAccess, functions: FunctionCheck, scans: Scans) {
        (self.access, self.functions, self.scans) = (access, functions, scans)
    }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/destinations/:name/trial") { request, context in
            try await answer(request, context)
        }
    }

    private func answer(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        let (source, destination) = try await access.destination(context)
        let question = try FunctionTrialQuestion(
            query: request.uri.query ?? "", body: try await AdministrationBody.optionalJSON(request) ?? [:])
        guard destination.kind == .function else {
            throw Refusal(
                .conflict, "the destination is of the kind \(destination.kind.name); only a function is tried")
        }
        let versions = FunctionVersionList(
            versions: question.version == nil ? [] : try await access.store.versions(of: destination.functionOwner),
            owner: "the destination \(destination.name)")
        let tried = try question.settings(of: destination, versions)
        await access.wait()
        return try await turn.take {
            let trial = try await self.trial(tried, source)
            let events = try await newest(question, for: destination, of: source)
            let stored =
                question.compares ? try await self.trial(FunctionSettings(destination.settings), source) : nil
            return try await request.whileClientStays {
                guard let stored else { return Response.json(try await trial.answer(events)) }
                return Response.json(try await FunctionComparison(before: stored, after: trial).answer(events))
            }
        }
    }

    private func trial(_ settings: FunctionSettings, _ source: Source) async throws -> FunctionTrial {
        try await FunctionTrial(functions.worker(for: settings, label: source.writeKey))
    }

    /// The newest events that the destination would get, oldest first, in the form in which it gets them.
    private func newest(
        _ question: FunctionTrialQuestion, for destination: Destination, of source: Source
    ) async throws -> [ForwardedEvent] {
        let forwardable = ForwardableEvents(
            store: access.store, sources: access.sources, writeKey: source.writeKey, source: source.id,
            destination: destination.name, categories: destination.categories, logger: access.logger)
        let page = try await forwardable.chosen(question.events(of: source.writeKey), scans)
        return page.candidates.reversed().compactMap { candidate in
            guard case .event(let event) = candidate else { return nil }
            return event
        }
    }
}

extension FunctionTrial {
    fileprivate func answer(_ events: [ForwardedEvent]) async throws -> JSON {
        var calls: [JSON] = []
        for call in self.calls(events) {
            try Task.checkCancellation()
            var result = await result(of: call.map(\.body)).objectValue ?? [:]
            result["messageIds"] = .strings(call.map(\.messageId))
            result["names"] = .strings(call.map(\.title))
            calls.append(.object(result))
        }
        return ["declaration": .object(declaration.json), "calls": .array(calls)]
    }
}

extension ForwardedEvent {
    /// The name of the event, or its type when it has none, for people.
    var title: String {
        // A stored event is JSON.
        guard let event = try? JSON.parse(body) else { return "" }
        return event["event"]?.stringValue ?? event["name"]?.stringValue ?? event["type"]?.stringValue ?? ""
    }
}
