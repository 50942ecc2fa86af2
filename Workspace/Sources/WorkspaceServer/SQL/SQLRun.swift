import TributaryJSON
import WorkspaceCore

/// A query in SQL and the process that answers it. The process ends with the object.
final class SQLRun: Sendable {
    /// Whether there is a query; else only tables are listed.
    let isQuery: Bool
    let process: WorkerProcess
    private let place: SQLPlaceList.Loan

    /// Starts the process, and gives it the query.
    /// - Parameters:
    ///   - program: the path of the program `tributary`.
    ///   - query: nil for a list of the tables.
    /// - Throws: `Refusal`, with the mistake of a query that can be no query whatever the events are.
    init(
        program: String, writeKey: String, query: String?, rows: Int, place: SQLPlaceList.Loan
    ) async throws {
        do {
            process = try WorkerProcess(program: program, command: ["sql-worker"], writeKey: writeKey)
        } catch {
            throw Refusal(.unavailable, "the query cannot be asked: \(error)")
        }
        (self.place, isQuery) = (place, query != nil)
        do {
            _ = try await ask(.begin(query: query, rows: rows), within: Limits.sqlStart)
        } catch {
            end()
            throw error
        }
    }

    /// Ends the process, and gives the place to others.
    func end() {
        process.end()
        place.giveBack()
    }

    /// Sends a message, and waits for its answer. Cancelling the task ends the process.
    /// - Throws: `Refusal` with the error of the query, or why the process gave none.
    func ask(_ message: SQLMessage, within patience: Duration) async throws -> JSON {
        let answer: JSON
        do {
            let content = try await withTaskCancellationHandler {
                try await process.exchange(WorkerMessages.message(message.content), within: patience)
            } onCancel: { [process] in
                process.end()
            }
            answer = try JSON.parse(content, limits: JSONLimits(depth: 8, bytes: WorkerMessages.bytes))
        } catch let error as WorkerProcess.Ended {
            try Task.checkCancellation()
            throw Self.refusal(error, patience)
        }
        if let error = answer["error"]?.stringValue { throw Refusal.invalid(error) }
        return answer
    }

    private static func refusal(_ error: WorkerProcess.Ended, _ patience: Duration) -> Refusal {
        guard !error.isLate else {
            return .invalid("the query took longer than \(patience.components.seconds) seconds")
        }
        return Refusal(
            .unavailable,
            "the process of the query ended; it may have needed more than \(Limits.sqlMemory >> 20) MB of memory")
    }
}
