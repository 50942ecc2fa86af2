import Foundation
import TributaryJSON

/// Shows the traces of somebody's events as they come.
struct TraceFollower: Sendable {
    /// Seconds for the last traces: devices send a trace some seconds after its event.
    private static let patience = 10

    let client: AdministrationClient
    let writeKey: String
    /// The member of a trace that says whose event it was, and its value.
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
        var position = start
        var shown = 0
        var pause = Pause()
        let lines = TraceLines(style: .output)
        while true {
            do {
                for try await message in try client.stream(after: position) {
                    pause = Pause()
                    guard let sequence = message.id, sequence > position else { continue }
                    position = sequence
                    guard message.event == "trace", let trace = wanted(message.data) else { continue }
                    // A reader of a pipe wants each line at once.
                    print(json ? trace.description : lines.text(trace))
                    fflush(nil)
                    shown += 1
                    if shown == count { return }
                }
            } catch let failure as EventStream.Refusal {
                throw Failure(failure.description)
            } catch {
                Console.error("\(error); waiting for the workspace")
            }
            try await pause.wait()
        }
    }

    /// A trace that is to be shown.
    private func wanted(_ text: String) -> JSON? {
        // The server made the text, so there is nothing to say about one that cannot be read.
        guard let trace = try? JSON.parse(text), trace["writeKey"]?.stringValue == writeKey,
            trace[member]?.stringValue == id,
            let received = trace["receivedAt"]?.stringValue.flatMap(ISO8601.milliseconds), received >= since
        else { return nil }
        return trace
    }
}
