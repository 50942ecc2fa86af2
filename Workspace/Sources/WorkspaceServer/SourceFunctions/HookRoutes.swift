import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Takes requests of other services, and stores the events that a source function makes of them.
///
/// A request is acknowledged when its events are on disk. Until then its sender is asked to come again.
struct HookRoutes: Sendable {
    let sources: SourceRegistry
    let functions: SourceFunctions
    let ingest: IngestRoutes
    let bodyMemory: BodyMemory
    let now: @Sendable () -> Int64

    func add(to router: Router<WorkspaceContext>) {
        router.post("v1/hooks/:hook") { request, context in
            let hook = try context.pathParameter("hook")
            let (source, function) = try await function(hook)
            let mayCome = functions.change(source.id) { $0.gate.comes(at: now()) }
            guard mayCome else { throw Self.full("this source function gets too many requests in a second") }
            try await take(request, source, function)
            return Response.json(["success": true])
        }
    }

    private func function(_ hook: String) async throws(Refusal) -> (Source, SourceFunction) {
        guard let source = await sources.source(ofHook: hook), let function = source.function else {
            throw .notFound("there is no such hook")
        }
        return (source, function)
    }

    private static func full(_ message: String) -> Refusal {
        Refusal(.unavailable, message + "; try again", retryAfter: Limits.hookPause)
    }

    private func take(_ request: Request, _ source: Source, _ function: SourceFunction) async throws {
        let encoding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
        guard encoding.isEmpty || encoding == "identity" else {
            throw Refusal(.wrongMediaType, "a hook takes no Content-Encoding, because signatures are of plain bodies")
        }
        let loan = BodyLoan(bodyMemory, .source)
        defer { withExtendedLifetime(loan) {} }
        let body: [UInt8]
        do {
            body = try await BodyReading.bytes(request, limit: Limits.hookBody, loan)
        } catch is BodyReading.TooLarge {
            throw Refusal(.tooLarge, "the body is too large: at most \(Limits.hookBody) bytes are taken")
        }
        do {
            let received = HookRequest(request, body: body)
            let run = try functions.run(of: source, function)
            let checked = try await run.checked(received, now: now())
            try await withPlace(source) { try await store(checked, run, source, function) }
        } catch let fault as HookFault {
            noteFailed(fault.reason, source)
            throw Refusal(
                .unavailable, "the source function failed; an operator of the workspace sees why",
                retryAfter: Limits.hookPauseAfterFault)
        } catch let error as Refusal {
            note(error, source)
            throw error
        }
    }

    /// The function failed, which only an operator can change. The sender does not get the reason.
    private struct HookFault: Error {
        let reason: String
    }

    private func note(_ error: Refusal, _ source: Source) {
        switch error.reason {
        case .unauthorized, .invalid:
            let now = now()
            functions.change(source.id) { $0.record.noteRefused(error.message, at: now) }
        default: noteFailed(error.message, source)
        }
    }

    private func noteFailed(_ reason: String, _ source: Source) {
        let now = now()
        functions.change(source.id) { $0.record.noteFailed(reason, at: now) }
    }

    /// One request of a source after the other is with its function. A request that waited too long is not taken any more.
    private func withPlace(_ source: Source, _ work: () async throws -> Void) async throws {
        let (hasPlace, turns) = functions.change(source.id) { ($0.gate.enter(), $0.turns) }
        guard hasPlace else { throw Self.full("too many requests wait for this source function") }
        defer { functions.change(source.id) { $0.gate.leave() } }
        let start = ContinuousClock.now
        try await turns.run {
            guard ContinuousClock.now - start < Limits.hookWait else {
                throw Self.full("the request waited too long for this source function")
            }
            try await work()
        }
    }

    private func store(
        _ request: HookRequest, _ run: SourceFunctionRun, _ source: Source, _ function: SourceFunction
    ) async throws {
        switch try await run.outcome(of: request) {
        case .refused(let reason): throw Refusal.invalid(reason)
        case .later(let reason): throw Refusal(.unavailable, reason, retryAfter: Limits.hookPauseAfterFault)
        case .failed(let reason): throw HookFault(reason: reason)
        case .events(let events): try await store(events, source, function)
        }
    }

    private func store(_ events: [JSON], _ source: Source, _ function: SourceFunction) async throws {
        let batch = (["batch": .array(events)] as JSON).encoded()
        guard batch.count <= Limits.ingestBody else {
            throw HookFault(reason: "the events have more than \(Limits.ingestBody) bytes")
        }
        // The source may have been removed while the function was at work.
        guard await sources.source(ofHook: function.hook)?.id == source.id else {
            throw Refusal.notFound("there is no such hook")
        }
        try await ingest.take(batch, for: source)
        let now = now()
        functions.change(source.id) { $0.record.noteAccepted(events: events.count, at: now) }
    }
}
