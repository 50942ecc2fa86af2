import Hummingbird
import Logging
import TributaryJSON
import WorkspaceCore

/// Finds the destination that a request names, and describes its state.
struct DestinationAccess: Sendable {
    let sources: SourceRegistry
    let store: Store
    let supervisor: ForwardingSupervisor
    let states: ForwardingStates
    let readYourWrites: ReadYourWrites
    /// Whether this server forwards at all.
    let isForwarding: Bool
    let now: @Sendable () -> Int64
    let logger: Logger

    static func unknown(_ name: String) -> Refusal { .notFound("the source has no destination \(name)") }

    func source(_ context: WorkspaceContext) async throws -> Source {
        try await sources.known(context.pathParameter("writeKey"))
    }

    func destination(_ context: WorkspaceContext) async throws -> (source: Source, destination: Destination) {
        let source = try await source(context)
        let name = try context.pathParameter("name")
        guard let destination = try await store.destination(name, of: source.id) else { throw Self.unknown(name) }
        return (source, destination)
    }

    /// Waits until requests that were acknowledged before are indexed, so that they count too.
    func wait() async { await readYourWrites.wait() }

    /// The destination as the administration shows it.
    func summary(_ destination: Destination) async throws -> JSON {
        let last = try await store.lastSequence()
        let figures = try await store.figures(of: destination.id)
        let state = states.state(of: destination.id)
        var summary = destination.summary(for: Administrator.current.role)
        for (name, count) in [
            ("delivered", figures.delivered), ("skipped", figures.skipped), ("withheld", figures.withheld),
            ("held", figures.held),
            ("retrying", state.map { Int64($0.waiting) } ?? figures.retrying),
            ("deadLetters", figures.deadLetters),
        ] { summary[name] = .number(count) }
        let backlog = try await DestinationBacklog(store: store, states: states).of(destination)
        summary["waiting"] = .number(backlog.count)
        summary["waitingSince"] = .time(backlog.oldest)
        let filtered = states.filtered(of: destination.id).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        summary["heldBackBy"] = .array(filtered.map { ["rule": .string($0.key), "events": .number($0.value)] })
        summary["lastDeliveredAt"] = .time(figures.lastDeliveredAt)
        summary["rollout"] = try await store.functionRollout(of: destination.id)?.summary ?? .null
        summary["replay"] = try await store.replay(to: destination.id).map(\.json) ?? .null
        // In a cluster another node may forward; the settings say how far it had come when it wrote that last.
        let position = state?.position ?? (store.settings.isShared && destination.isEnabled ? figures.position : .min)
        summary["caughtUp"] = .bool(position >= last)
        let standstill = destination.isEnabled ? standstill(destination) : nil
        let rest = destination.isEnabled && standstill == nil ? states.rest(of: destination.id) : nil
        let reason = standstill ?? rest?.reason
        summary["state"] = .string(destination.isEnabled ? (reason == nil ? "delivering" : "waiting") : "off")
        summary["reason"] = .string(reason)
        summary["retryAt"] = .time(rest?.until)
        return .object(summary)
    }

    /// Why nothing is sent until an operator changes something; nil when nothing has to change.
    private func standstill(_ destination: Destination) -> String? {
        if case .later = destination.kind { return destination.fault }
        if let fault = destination.fault { return "its settings cannot be used: \(fault)" }
        if destination.kind == .function, !supervisor.runsFunctions { return DestinationKind.withoutProgram.message }
        return isForwarding ? nil : ForwardingSupervisor.isOff
    }
}
