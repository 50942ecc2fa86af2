import Foundation
import Tributary
import TributaryJSON

/// The texts of the inspector.
enum InspectorText {
    // MARK: All of it

    /// The state, a fact on each line.
    static func lines(_ state: InspectorState) -> [String] {
        let log = state.log
        return summary(state)
            + ["", "events: \(shown(log.events.count, of: log.recordedEvents))"]
            + log.events.flatMap { ["  \($0.trackedAt) \(title($0))"] + steps($0).map { "      " + $0 } }
            + ["", "signals: \(shown(log.signals.count, of: log.recordedSignals))"]
            + log.signals.map { "  " + line($0) }
            + ["", "diagnostics: \(shown(log.diagnostics.count, of: log.recordedDiagnostics))"]
            + log.diagnostics.map { "  " + line($0.diagnostic) }
    }

    private static func shown(_ count: Int, of recorded: Int) -> String {
        count == recorded ? "\(count)" : "the last \(count) of \(recorded)"
    }

    // MARK: The client

    /// The state of the client, a fact on each line.
    static func summary(_ state: InspectorState) -> [String] {
        guard state.isOn else { return ["The inspector is off in release builds, unless the app switches it on."] }
        guard let client = state.client else { return ["The client is gone."] }
        return [
            "consent: \(consent(client))",
            "user: \(client.userId ?? "none"), anonymous id \(client.anonymousId)",
            "queue: \(queue(client))",
            "delivery: \(delivery(client))",
            "live plugins: \(livePlugins(client.livePlugins))",
            "since the start: \(counters(client.counters))",
            "workspace: \(client.workspacePage?.absoluteString ?? "the client does not send to a workspace")",
        ]
    }

    private static func consent(_ client: InspectorState.Client) -> String {
        let categories = client.consentCategories.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value ? "allowed" : "refused")" }
        let app = client.isEnabled ? [] : ["the app has switched collection off"]
        return (["\(client.consent)"] + categories + app).joined(separator: ", ")
    }

    private static func queue(_ client: InspectorState.Client) -> String {
        let storage = client.storage
        let unprocessed = storage.queues.reduce(0) { $0 + $1.unprocessed }
        var parts = [
            // Events that wait for consent are in no queue yet.
            "\(events(client.delivery.waiting)) \(client.delivery.waiting == 1 ? "waits" : "wait")",
            "\(unprocessed) for plugins, \(storage.waitingEvents - unprocessed) for the server",
            "\(storage.waitingBytes) bytes",
        ]
        if let oldest = client.oldestWaiting { parts.append("the oldest of \(time(oldest))") }
        if client.delivery.deadLetters > 0 {
            parts.append("the server refused \(events(client.delivery.deadLetters))")
        }
        if let reason = storage.reason { parts.append("not on disk: \(storage.detail ?? "\(reason)")") }
        return parts.joined(separator: "; ")
    }

    /// The work of delivery, and the reason when it sends nothing.
    static func delivery(_ client: InspectorState.Client) -> String {
        let state = client.delivery
        let failures = state.failures > 0 ? ", requests without success in a row: \(state.failures)" : ""
        let obstacle = state.obstacle.map { ": \($0.text)" } ?? ""
        switch state.activity {
        case .sending: return "sending" + failures
        case .paused(let until): return "paused until \(time(until))\(obstacle)\(failures)"
        case .waiting, .idle: return (client.holdsDelivery ? "held" : "idle") + obstacle + failures
        case .stopped: return "ended" + obstacle
        }
    }

    private static func livePlugins(_ livePlugins: InspectorState.Client.LivePlugins) -> String {
        switch livePlugins {
        case .none: "none"
        case .ofApp: "the script of the app"
        case .deployed(let version): "version \(version)"
        }
    }

    private static func counters(_ counters: EventCounters) -> String {
        let byPlugins = counters.droppedByPlugin.values.reduce(0, +)
        let byFilters = counters.droppedByFilter.values.reduce(0, +)
        let lost = counters.lost.sorted { $0.key < $1.key }.map { ", \($0.value) lost: \($0.key)" }.joined()
        return "\(counters.tracked) tracked, \(counters.uploaded) confirmed by the server"
            + (byPlugins > 0 ? ", \(byPlugins) dropped by plugins" : "")
            + (byFilters > 0 ? ", \(byFilters) kept back by filters" : "") + lost
    }

    private static func events(_ count: Int) -> String { "\(count) \(count == 1 ? "event" : "events")" }

    private static func time(_ date: Date) -> String {
        ISO8601.string(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    // MARK: Events, signals and diagnostics

    /// The name of an event, and who kept it from the server.
    static func title(_ event: InspectedEvent) -> String {
        let name = event.name.map { "\(event.type) “\($0)”" } ?? event.type
        guard !event.isKept else { return name }
        return event.droppedBy.map { "\(name), dropped by \($0)" } ?? "\(name), dropped"
    }

    /// A line for each plugin that changed, dropped, failed or delivered the event, with lines for its changes.
    static func steps(_ event: InspectedEvent) -> [String] {
        event.steps.filter { $0.outcome != "unchanged" }.flatMap { step in
            [line(step)] + step.changes.map { "    \($0.path): \($0.before ?? "–") → \($0.after ?? "–")" }
        }
    }

    private static func line(_ step: InspectedEvent.Step) -> String {
        let place = step.destination.map { " in \($0)" } ?? ""
        let note = step.note.map { ": \($0)" } ?? ""
        return "\(step.plugin)\(place) \(step.outcome)\(note)"
    }

    /// A signal in one line.
    static func line(_ signal: InspectedSignal) -> String { "\(signal.timestamp) \(signal.type) \(signal.data)" }

    /// A diagnostic in one line.
    static func line(_ diagnostic: Diagnostic) -> String {
        let source = diagnostic.plugin ?? diagnostic.destination
        return "\(diagnostic.kind): \(source.map { "\($0): " } ?? "")\(InspectorLimits.shortened(diagnostic.message))"
    }
}
