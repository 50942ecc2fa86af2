import Foundation
import TributaryJSON

/// Shows the traces of the events of a user or a device as they come.
struct TraceFollower: Sendable {
    /// Seconds for the last traces: devices send a trace some seconds after its event.
    private static let patience = 10

    let client: AdministrationClient
    let writeKey: String
    /// The member of a trace that names the user or the device, and its value.
    let member: String
    let id: String
    /// Milliseconds since 1970, by the clock of the workspace; earlier traces are of an earlier order.
    let since: Int64
    let json: Bool
    /// How many traces to show; nil shows all.
    let count: Int?

    /// Returns when the time is over, or when enough were shown.
    func follow(after position: Int64, for seconds: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await show(after: position) }
            group.addTask { try await Task.sleep(for: .seconds(seconds + Self.patience)) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func show(after start: Int64) async throws {
        let lines = TraceLines(style: .output)
        var shown = 0
        try await client.follow(after: start) { message in
            guard message.event == "trace", let trace = wanted(message.data) else { return true }
            // A reader of a pipe wants each line at once.
            print(json ? trace.description : lines.text(trace))
            fflush(nil)
            shown += 1
            return shown != count
        }
    }

    /// A trace that is to be shown.
    private func wanted(_ text: String) -> JSON? {
        // The server made the text, so a text that cannot be read is left out without a message.
        guard let trace = try? JSON.parse(text), trace["writeKey"]?.stringValue == writeKey,
            trace[member]?.stringValue == id,
            let received = trace["receivedAt"]?.stringValue.flatMap(ISO8601.milliseconds), received >= since
        else { return nil }
        return trace
    }
}
