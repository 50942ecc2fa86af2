import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Shows what a function would send of the newest stored events. Nothing is sent.
struct FunctionTrialRoutes: Sendable {
    let access: DestinationAccess
    let functions: FunctionCheck
    /// One at a time, because each keeps a core busy.
    private let turn = SingleRun("trial of a destination function", places: 8)

    init(access: DestinationAccess, functions: FunctionCheck) { (self.access, self.functions) = (access, functions) }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.post("api/sources/:writeKey/destinations/:name/trial") { request, context in
            let (source, destination) = try await access.destination(context)
            let body = try await AdministrationBody.optionalJSON(request) ?? [:]
            guard destination.kind == .function else {
                throw Refusal(
                    .conflict, "the destination is of the kind \(destination.kind.name); only a function is tried")
            }
            let last = try Self.last(body)
            let settings = try Self.settings(body, of: destination)
            await access.wait()
            return try await turn.take {
                let trial = try await FunctionTrial(functions.worker(for: settings, label: source.writeKey))
                let events = try await newest(last, for: destination, of: source)
                return try await request.whileClientStays { try await Self.answer(trial, events) }
            }
        }
    }

    private static let members = ["code", "template", "settings", "last"]

    private static func last(_ body: JSON) throws(Refusal) -> Int {
        guard let object = body.objectValue else {
            throw .invalid("the body is empty, or an object with \(members.joined(separator: ", "))")
        }
        if let stranger = object.first(where: { !members.contains($0.key) }) {
            throw .invalid("a trial has no \(stranger.key); it has \(members.joined(separator: ", "))")
        }
        let range = 1...Limits.functionTrialMostEvents
        return try object.member("last", "last is a number from \(range.lowerBound) to \(range.upperBound)") {
            $0.intValue.flatMap { range.contains($0) ? $0 : nil }
        } ?? Limits.functionTrialEvents
    }

    /// The stored settings, with the code and the values of the request in their places.
    private static func settings(_ body: JSON, of destination: Destination) throws(Refusal) -> FunctionSettings {
        var settings = destination.settings
        if body["code"] != nil || body["template"] != nil { settings["code"] = Optional<JSON>.none }
        for name in ["code", "template", "settings"] {
            if let value = body[name] { settings[name] = value }
        }
        return try FunctionSettings(settings)
    }

    /// The newest events that the destination would get, oldest first, in the form in which it gets them.
    private func newest(
        _ count: Int, for destination: Destination, of source: Source
    ) async throws -> [ForwardedEvent] {
        let forwardable = ForwardableEvents(
            store: access.store, sources: access.sources, writeKey: source.writeKey, source: source.id,
            destination: destination.name, categories: destination.categories, logger: access.logger)
        var query = forwardable.query(after: 0, before: try await access.store.lastSequence() + 1)
        (query.order, query.limit) = (.descending, count)
        let rules = await forwardable.rules()
        return try await access.store.storage.rows(query).reversed().compactMap { row in
            guard case .event(let event) = forwardable.candidate(try JSON.parse(row.text), row.sequence, rules) else {
                return nil
            }
            return event
        }
    }

    private static func answer(_ trial: FunctionTrial, _ events: [ForwardedEvent]) async throws -> Response {
        var calls: [JSON] = []
        for call in trial.calls(events) {
            try Task.checkCancellation()
            var result = await trial.result(of: call.map(\.body)).objectValue ?? [:]
            result["messageIds"] = .strings(call.map(\.messageId))
            calls.append(.object(result))
        }
        return Response.json(["declaration": .object(trial.declaration.json), "calls": .array(calls)])
    }
}
