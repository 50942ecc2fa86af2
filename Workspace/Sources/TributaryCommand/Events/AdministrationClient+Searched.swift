import Foundation
import ProgramSupport
import Synchronization
import TributaryJSON
import WorkspaceCore

extension AdministrationClient {
    /// The result of a search that answers with a line for each step. Shows the progress meanwhile.
    func searched(_ path: String, query: [URLQueryItem]) async throws -> JSON {
        let answer = SearchedLines()
        defer { Waiting.finish() }
        try await read(path, query: query) { try answer.take($0) }
        guard let result = answer.result else { throw Failure("the answer of the server has no end; try again") }
        return result
    }
}

/// Reads the lines of such an answer as they come.
private final class SearchedLines: Sendable {
    private let state = Mutex((lines: AnswerLines(), result: JSON?.none))

    var result: JSON? { state.withLock { $0.result } }

    func take(_ data: Data) throws {
        try state.withLock { state in
            try state.lines.take(data) { text in
                let line = try JSON.parse(text, limits: JSONLimits(depth: 16, bytes: 64 << 20))
                if let error = line["error"]?.stringValue { throw Failure(error.printable) }
                if let result = line["result"] { state.result = result }
                guard let progress = line["progress"] else { return }
                let (looked, most) = (progress["looked"]?.intValue ?? 0, progress["most"]?.intValue ?? 0)
                Waiting.show("\(looked.grouped) of at most \(most.grouped) events")
            }
        }
    }
}
