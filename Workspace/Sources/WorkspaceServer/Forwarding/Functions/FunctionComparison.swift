import TributaryJSON
import WorkspaceCore

/// Compares the requests of other code of a function with those of the stored code. Each event is a call of its own,
/// because the two may take different numbers of events together.
struct FunctionComparison: Sendable {
    /// The stored code.
    let before: FunctionTrial
    let after: FunctionTrial

    /// The answer of a trial. Each call says `same`, or has the result of the stored code as `before`.
    func answer(_ events: [ForwardedEvent]) async throws -> JSON {
        var calls: [JSON] = []
        var changed = 0
        for event in events {
            try Task.checkCancellation()
            let (old, new) = (await before.result(of: [event.body]), await after.result(of: [event.body]))
            var call = new.objectValue ?? [:]
            call["messageIds"] = [.string(event.messageId)]
            call["names"] = [.string(event.title)]
            call["same"] = .bool(old == new)
            if old != new {
                call["before"] = old
                changed += 1
            }
            calls.append(.object(call))
        }
        return [
            "declaration": .object(after.declaration.json), "calls": .array(calls),
            "compared": ["events": .number(events.count), "changed": .number(changed)],
        ]
    }
}
