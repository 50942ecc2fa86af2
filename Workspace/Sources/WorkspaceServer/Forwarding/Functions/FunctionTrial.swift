package import Logging
package import TributaryJSON
package import WorkspaceCore

/// Runs a function on events without sending anything, for its author.
package struct FunctionTrial: Sendable {
    package let declaration: FunctionDeclaration
    private let worker: FunctionWorker
    private let hosts: FunctionHosts

    /// Loads the code.
    /// - Throws: `Refusal` when it cannot be used.
    package init(_ worker: FunctionWorker) async throws(Refusal) {
        let (declaration, values) = try await worker.declaration()
        hosts = try FunctionHosts(declaration.hosts, values: values)
        (self.worker, self.declaration) = (worker, declaration)
    }

    /// Loads the code in a process of a program.
    package init(
        _ program: FunctionWorker.Program, _ settings: FunctionSettings, logger: Logger
    ) async throws(Refusal) {
        try await self.init(
            FunctionWorker(program, code: settings.code, values: settings.values, logger: logger))
    }

    /// The events of each call, as the server would make them.
    package func calls<Event>(_ events: [Event]) -> [[Event]] {
        let most = declaration.batchEvents ?? 1
        return stride(from: 0, to: events.count, by: most).map { Array(events[$0..<min($0 + most, events.count)]) }
    }

    /// The result of one call: `{"requests": […]}`, `{"later": …}` or `{"error": …}`. Secrets are shown as `{{secret:name}}`.
    package func result(of events: [[UInt8]]) async -> JSON {
        switch await worker.outcome(of: events, isBatch: declaration.batchEvents != nil) {
        case .later(let reason): return ["later": .string(reason)]
        case .fault(let reason), .failed(let reason): return ["error": .string(reason)]
        case .requests(let requests):
            do throws(Refusal) {
                for request in requests { try request.check(hosts, worker.placeholders) }
                return ["requests": .array(requests.map { $0.shown(worker.placeholders) })]
            } catch {
                return ["error": .string("function: \(error.message)")]
            }
        }
    }

    /// What becomes of each event of a call whose requests the service accepts with these answers: `delivered`,
    /// `refused: why` or `later: why`, with the text of the answer behind `delivered` when there is one.
    ///
    /// - Parameter answers: `status` and `body` of the answer to each request.
    package func outcomes(of events: [[UInt8]], answers: [JSON]) async -> [String] {
        var judged = JudgedEvents(count: events.count)
        for (number, answer) in answers.enumerated() {
            guard declaration.readsAnswers else { break }
            let judgement = await worker.judgement(
                of: FunctionAnswer(answer, number: number), events: events)
            if let answer = judged.accepted("", judgement) {
                return Array(repeating: Self.text(answer), count: events.count)
            }
        }
        return judged.answers.map(Self.text)
    }

    private static func text(_ answer: ForwardingAnswer) -> String {
        switch answer {
        case .accepted(let text): text.isEmpty ? "delivered" : "delivered: \(text)"
        case .refused(let reason): "refused: \(reason)"
        case .failed(let reason), .unavailable(let reason, _): "later: \(reason)"
        }
    }
}
