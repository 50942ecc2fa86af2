package import Logging
package import TributaryJSON
package import WorkspaceCore

/// Runs the code of one destination function or source function in a process of its own, which has no files, no network and no other rights.
///
/// A process that ended is started again for the next event. Without events it ends after a while.
package actor FunctionWorker {
    /// The program of the processes.
    package struct Program: Sendable {
        /// The path of the program `tributary`.
        let path: String
        /// The name of the process in lists of processes: the write key of the source.
        let label: String

        package init(path: String, label: String) { (self.path, self.label) = (path, label) }
    }

    /// A process that has loaded the code, with what its class declares.
    private struct Loaded {
        let process: WorkerProcess
        let declaration: JSON
    }

    /// A process that runs, or is being started.
    private struct Running {
        let number: Int
        let task: Task<Loaded, any Error>
    }

    package nonisolated let placeholders: FunctionPlaceholders
    private let program: Program
    private let function: WorkerFunction
    private let logger: Logger
    private var running: Running?
    private var starts = 0
    private var calls = 0
    private var idle: Task<Void, Never>?

    /// - Parameter values: the settings of the operator; nil for a look at what the class declares.
    package init(
        _ program: Program, _ kind: WorkerFunction.Kind = .destination, code: String, values: JSONObject?,
        logger: Logger
    ) {
        placeholders = FunctionPlaceholders()
        function = WorkerFunction(
            kind, source: code, name: FunctionSettings.fileName, settings: values.map(JSON.object) ?? .null,
            nonce: placeholders.nonce)
        (self.program, self.logger) = (program, logger)
    }

    deinit { idle?.cancel() }

    /// Asks the function for the requests of an event, or of a batch. A cancelled task ends the process.
    package func outcome(of events: [[UInt8]], isBatch: Bool) async -> FunctionOutcome {
        do {
            return shown(FunctionOutcome(try await answer(to: .call(events, isBatch: isBatch))))
        } catch {
            return .failed("function: " + Self.text(error))
        }
    }

    /// Asks the function what an answer means for the events of a call.
    package func judgement(of answer: FunctionAnswer, events: [[UInt8]]) async -> FunctionJudgement {
        do {
            let said = FunctionJudgement(try await self.answer(to: .judge(answer.json, events)))
            return said.withText(placeholders.shown)
        } catch {
            return .failed("function: " + Self.text(error))
        }
    }

    /// Asks a source function for the events of a request: `events`, `refused`, `later`, or a `fault`.
    /// - Throws: when the process gave no answer in time, or cannot load the code.
    package func events(of request: JSON, within patience: Duration) async throws -> JSON {
        try await answer(to: .receive(request), within: patience)
    }

    /// The answer of a process that has loaded the code.
    private func answer(
        to question: WorkerQuestion, within patience: Duration = Limits.workerPatience
    ) async throws -> JSON {
        calls += 1
        defer { endLater() }
        let running = self.running ?? begin()
        do {
            let process = try await running.task.value.process
            let answer = try await withTaskCancellationHandler {
                try await process.ask(question, within: patience)
            } onCancel: {
                process.end()
            }
            guard case .called(let json) = answer else {
                process.end()
                throw WorkerProcess.Ended(description: "its answer makes no sense")
            }
            if json["isOver"]?.boolValue == true { end(running.number) }
            return json
        } catch {
            end(running.number)
            throw error
        }
    }

    /// Returns the declarations of the class, and the values of its settings.
    /// - Throws: `Refusal` when the code cannot be used.
    package func declaration() async throws(Refusal) -> (FunctionDeclaration, values: JSONObject) {
        let json = try await declared()
        return (try FunctionDeclaration(json), json["values"]?.objectValue ?? [:])
    }

    /// What the class declares, as the process says it.
    /// - Throws: `Refusal` when the code cannot be used.
    package func declared() async throws(Refusal) -> JSON {
        let running = self.running ?? begin()
        do {
            return try await running.task.value.declaration
        } catch let error as Refusal {
            throw error
        } catch {
            end(running.number)
            throw Refusal(.unavailable, "the function cannot be checked: \(Self.text(error))")
        }
    }

    /// With tail calls, the engine forgets the line of `return request(…)` before an error is thrown there.
    private static let engineOptions = ["JSC_useTailCalls=0"]

    private func begin() -> Running {
        starts += 1
        let running = Running(number: starts, task: Task { try await load() })
        self.running = running
        return running
    }

    private func load() async throws -> Loaded {
        let process = try WorkerProcess(program: program.path, writeKey: program.label, options: Self.engineOptions)
        switch try await process.ask(.loadFunction(function), within: Limits.workerStart) {
        case .function(let declaration, let confinement):
            if let confinement { noteConfinement(confinement) }
            return Loaded(process: process, declaration: declaration)
        case .refused(let reason): throw Refusal(.unusable, placeholders.shown(reason))
        case .loaded, .events, .called: throw WorkerProcess.Ended(description: "its answer makes no sense")
        }
    }

    /// The next event gets another process.
    private func end(_ number: Int) {
        if running?.number == number { running = nil }
    }

    private func endLater() {
        let calls = calls
        idle?.cancel()
        idle = Task { [weak self] in
            // A cancelled wait means that another event came.
            guard (try? await Task.sleep(for: Limits.workerIdleTime)) != nil else { return }
            await self?.endIfIdle(since: calls)
        }
    }

    private func endIfIdle(since calls: Int) {
        if calls == self.calls { running = nil }
    }

    /// A script may put a placeholder into the text of an error.
    private func shown(_ outcome: FunctionOutcome) -> FunctionOutcome {
        switch outcome {
        case .requests: outcome
        case .later(let text): .later(placeholders.shown(text))
        case .fault(let text): .fault(placeholders.shown(text))
        case .failed(let text): .failed(placeholders.shown(text))
        }
    }

    package static func text(_ error: any Error) -> String {
        switch error {
        case let error as WorkerProcess.Ended: "its process gave no answer: \(error.description)"
        case let error as Refusal: error.message
        default: ErrorReason.text(error)
        }
    }

    private func noteConfinement(_ reason: String) {
        logger.warning(
            "this system does not take the rights of processes with functions; they are bounded, but not confined",
            metadata: ["reason": "\(reason)"])
    }
}
