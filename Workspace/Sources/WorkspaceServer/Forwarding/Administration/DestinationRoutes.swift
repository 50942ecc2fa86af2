import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes for the destinations of a source: their settings and their state.
struct DestinationRoutes: Sendable {
    let access: DestinationAccess
    let functions: FunctionCheck
    let makeSecret: @Sendable () -> [UInt8]

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/destinations") { _, context in
            let source = try await access.source(context)
            await access.wait()
            var list: [JSON] = []
            for destination in try await access.store.destinations(of: source.id) {
                list.append(try await access.summary(destination))
            }
            return Response.json(["destinations": .array(list)])
        }
        router.get("api/sources/:writeKey/destinations/:name") { _, context in
            let destination = try await access.destination(context).destination
            await access.wait()
            return Response.json(try await access.summary(destination))
        }
        router.put("api/sources/:writeKey/destinations/:name") { request, context in try await put(request, context) }
        router.delete("api/sources/:writeKey/destinations/:name") { _, context in
            let (source, destination) = try await access.destination(context)
            _ = try await access.store.removeDestination(destination.name, of: source, now: access.now())
            try await access.sources.refresh(source.writeKey)
            await access.supervisor.follow()
            return Response.json(["removed": .string(destination.name)])
        }
        router.post("api/sources/:writeKey/destinations/:name/secret") { _, context in
            try await replaceSecret(context)
        }
        router.post("api/sources/:writeKey/destinations/:name/test") { _, context in
            let (source, destination) = try await access.destination(context)
            return try await test(destination, of: source)
        }
        addVersions(to: router)
        addRollout(to: router)
    }

    private func put(_ request: Request, _ context: WorkspaceContext) async throws -> Response {
        let source = try await access.source(context)
        let name = try context.pathParameter("name")
        guard Destination.isValid(name: name) else { throw Refusal.invalid(Destination.nameRule) }
        var change = try DestinationForm.change(try await AdministrationBody.json(request))
        if let kind = change.kind { try access.supervisor.check(kind) }
        let old = try await access.store.destination(name, of: source.id)
        if (old?.kind ?? change.kind) == .function {
            change = try await functions.checked(change, of: old, label: source.writeKey)
        } else if change.secrets != nil {
            throw Refusal.invalid("only a destination of the kind function has secrets by name")
        }
        let secret = makeSecret()
        let (destination, isNew) = try await store(change, name, source, secret: secret)
        var summary = try await access.summary(destination)
        if isNew, !destination.kind.takesSecret { summary["secret"] = .string(DestinationSecrets.text(secret)) }
        return Response.json(summary, status: isNew ? .created : .ok)
    }

    /// Stores a change that was checked, and lets the forwarding follow it.
    func store(
        _ change: Store.DestinationChange, _ name: String, _ source: Source, secret: [UInt8]
    ) async throws -> (destination: Destination, isNew: Bool) {
        let stored = try await access.store.putDestination(
            name, of: source, change, secret: secret, now: access.now())
        try await access.sources.refresh(source.writeKey)
        await access.supervisor.follow()
        return stored
    }

    private func replaceSecret(_ context: WorkspaceContext) async throws -> Response {
        let (source, destination) = try await access.destination(context)
        guard !destination.kind.takesSecret else {
            let member = destination.kind == .function ? "secrets" : "secret"
            throw Refusal(
                .conflict,
                "another service made the secret of this destination; change it with PUT and \(member)")
        }
        let secret = makeSecret()
        let changed = try await access.store.replaceSecret(
            of: destination.name, of: source, by: secret, now: access.now())
        guard let changed else { throw DestinationAccess.unknown(destination.name) }
        await access.supervisor.follow()
        return Response.json([
            "secret": .string(DestinationSecrets.text(secret)),
            "previousValidUntil": .time(changed.secrets.previousValidUntil),
        ])
    }

    /// Sends a test event past the queue, so that the answer is the receiver's present one.
    private func test(_ destination: Destination, of source: Source) async throws -> Response {
        let delivery = try await access.supervisor.delivery(to: destination, of: source.writeKey)
        let (event, start) = (
            DestinationTest.event(
                to: destination, now: access.now(), unique: makeSecret()), ContinuousClock.now
        )
        let answer = await delivery.test(event)
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        var isAccepted = false
        if case .accepted = answer { isAccepted = true }
        return Response.json([
            "accepted": .bool(isAccepted), "answer": .string(answer.text), "milliseconds": .number(Int(milliseconds)),
        ])
    }
}
