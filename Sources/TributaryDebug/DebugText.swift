import Tributary

/// The texts of the debug overlay.
enum DebugText {
    /// The name of an event, and whether the server gets it.
    static func title(_ event: DebugEvent) -> String {
        let name = event.name.map { "\(event.type) “\($0)”" } ?? event.type
        return event.isKept ? name : "\(name), dropped"
    }

    /// A line for each plugin that changed, dropped, failed or delivered the event, with lines for its changes.
    static func steps(_ event: DebugEvent) -> [String] {
        event.steps.filter { $0.outcome != "unchanged" }.flatMap { step in
            [line(step)] + step.changes.map { "    \($0.path): \($0.before ?? "–") → \($0.after ?? "–")" }
        }
    }

    private static func line(_ step: DebugEvent.Step) -> String {
        let place = step.destination.map { " in \($0)" } ?? ""
        let note = step.note.map { ": \($0)" } ?? ""
        return "\(step.plugin)\(place) \(step.outcome)\(note)"
    }

    /// A diagnostic in one line.
    static func line(_ diagnostic: Diagnostic) -> String {
        let source = diagnostic.plugin ?? diagnostic.destination
        return "\(diagnostic.kind): \(source.map { "\($0): " } ?? "")\(DebugLimits.shortened(diagnostic.message))"
    }

    /// The numbers of the client in one line.
    static func summary(_ log: DebugLog, _ counters: EventCounters?) -> String {
        guard DebugRecorder.isAvailable else { return "A release build records nothing." }
        let shown = "\(log.events.count) of \(log.recordedEvents) events"
        guard let counters else { return shown }
        return "\(shown), \(counters.tracked) tracked, \(counters.uploaded) confirmed by the server"
    }
}
