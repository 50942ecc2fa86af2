import ServiceLifecycle
import TributaryJSON
import WorkspaceCore

/// The answers to the questions of the board, for readers of links. They are kept for a while, so many walls cost no more than
/// one. One question is asked at a time; it goes on when its reader leaves, and ends with the server.
actor BoardAnswers: Service {
    struct Answer: Sendable {
        let outcome: Result<JSON, any Error>
        /// When it was counted; milliseconds since 1970.
        let at: Int64
    }

    private struct Run {
        let task: Task<Void, Never>
        var waiting: [Int: CheckedContinuation<Answer?, any Error>] = [:]
    }

    private let ask: @Sendable (BoardQuestion) async throws -> JSON
    private let now: @Sendable () -> Int64
    private var kept: [BoardQuestion: Answer] = [:]
    private var runs: [BoardQuestion: Run] = [:]
    /// The question that was asked last; the next one begins when it has an answer.
    private var last: Task<Void, Never>?
    private var nextId = 0
    private var isEnding = false

    init(now: @escaping @Sendable () -> Int64, ask: @escaping @Sendable (BoardQuestion) async throws -> JSON) {
        (self.now, self.ask) = (now, ask)
    }

    /// The answer to a question, at most a minute old; nil when it takes longer than the patience.
    func answer(to question: BoardQuestion, within patience: Duration) async throws -> Answer? {
        if let answer = kept[question], isFresh(answer) { return answer }
        guard !isEnding else { throw Refusal(.unavailable, "the server ends") }
        if runs[question] == nil { begin(question) }
        nextId += 1
        let id = nextId
        let limit = Task {
            try await Task.sleep(for: patience)
            runs[question]?.waiting.removeValue(forKey: id)?.resume(returning: nil)
        }
        defer { limit.cancel() }
        return try await withCheckedThrowingContinuation { runs[question]?.waiting[id] = $0 }
    }

    /// Waits until the server stops, and ends the question that is asked.
    func run() async throws {
        // The call throws when the server stops without a graceful shutdown, which is a stop as well.
        try? await gracefulShutdown()
        isEnding = true
        let tasks = runs.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func begin(_ question: BoardQuestion) {
        let before = last
        // Not a child of the request, with which it does not end.
        let task = Task.detached { [ask, now] in
            await before?.value
            let outcome: Result<JSON, any Error>
            do {
                try Task.checkCancellation()
                outcome = .success(try await Administrator.$current.withValue(.board) { try await ask(question) })
            } catch {
                outcome = .failure(error)
            }
            await self.end(question, Answer(outcome: outcome, at: now()))
        }
        last = task
        runs[question] = Run(task: task)
    }

    private func end(_ question: BoardQuestion, _ answer: Answer) {
        kept = kept.filter { isFresh($0.value) }
        // The end of the server says nothing about the question.
        if case .failure(is CancellationError) = answer.outcome {} else { kept[question] = answer }
        let run = runs.removeValue(forKey: question)
        for continuation in (run?.waiting ?? [:]).values { continuation.resume(returning: answer) }
    }

    private func isFresh(_ answer: Answer) -> Bool {
        (0..<Limits.boardAnswerMilliseconds).contains(now() - answer.at)
    }
}

extension Administrator {
    /// All readers of links together, so that they share the places of one token that may look.
    fileprivate static let board = Administrator(way: .token, token: "links to the board", role: .look)
}

extension Limits {
    /// How long an answer for readers of links is kept, and how long a request waits for it.
    static let boardAnswerMilliseconds: Int64 = 60_000
    static let boardPatience = Duration.seconds(10)
}
