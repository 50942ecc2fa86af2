import ArgumentParser
import CWorkerProcess
import Foundation
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceServer

/// Takes events of one source through its live plugins, or asks a function for requests or events. The server starts this
/// command in a process of its own, which gives up its rights before it loads a script.
///
/// Standard input and output are one socket: questions come in (`WorkerQuestion`), and each is answered (`WorkerAnswer`).
struct PluginWorker: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Runs live plugins and functions for the server.",
        shouldDisplay: false)

    @Argument(help: "The write key of the source, for lists of processes.") var writeKey: String

    /// Bytes of memory beyond those of a process that has not loaded a script. Scripts may hold 64 MB, and the engine frees
    /// what they do not hold a little later.
    private static let memory: UInt64 = 384 << 20
    /// Seconds after which the system ends a process that does not come to the end of a question. The server does so earlier.
    private static let patience: UInt32 = 60

    func run() throws {
        // Requests of clients come first.
        _ = nice(5)
        tributary_worker_close_files()
        try WorkspaceRun.prepareForLifeWithoutFiles()
        guard tributary_worker_limit(Self.memory) == 0 else { throw Failure("the process cannot be limited") }
        let confinement = tributary_worker_confine()
        let note = confinement == 0 ? nil : String(cString: strerror(confinement))
        var worker = PluginWorkerRun(confinement: note)
        while let question = try Self.next() {
            tributary_worker_end_after(Self.patience)
            try WorkerSocket.write(WorkerMessages.encoded(worker.answer(question)))
            tributary_worker_end_after(0)
        }
    }

    /// The next question; nil when the server has closed the socket.
    private static func next() throws -> WorkerQuestion? {
        guard let message = try WorkerSocket.next() else { return nil }
        guard let question = WorkerMessages.question(message) else {
            throw Failure("standard input has no question of the server")
        }
        return question
    }
}

/// Answers the questions to a worker, one after the other.
struct PluginWorkerRun {
    private let confinement: String?
    private var scripts: WorkspaceRun?
    private var function: FunctionRun?

    /// - Parameter confinement: why the process still has its rights; nil when it has none.
    init(confinement: String?) { self.confinement = confinement }

    mutating func answer(_ question: WorkerQuestion) -> WorkerAnswer {
        switch question {
        case .load(let bundle): load(bundle)
        case .events(let events, let wantsHealth): take(events, wantsHealth: wantsHealth)
        case .loadFunction(let function): load(function)
        case .call(let events, let isBatch): called { $0.answer(to: events, isBatch: isBatch) }
        case .judge(let answer, let events): called { $0.judgement(of: answer, events: events) }
        case .receive(let request): called { $0.events(of: request) }
        }
    }

    private mutating func load(_ function: WorkerFunction) -> WorkerAnswer {
        do throws(FunctionRun.Fault) {
            let run = try FunctionRun(function)
            self.function = run
            return .function(declaration: run.declaration, confinement: confinement)
        } catch {
            return .refused(error.description)
        }
    }

    private func called(_ ask: (FunctionRun) -> JSON) -> WorkerAnswer {
        guard let function else { return .called(["fault": ["message": "no function is loaded"]]) }
        return .called(ask(function))
    }

    private mutating func load(_ bundle: WorkerBundle) -> WorkerAnswer {
        do {
            scripts = try WorkspaceRun(
                source: bundle.source, name: bundle.name, writeKey: bundle.writeKey, version: "\(bundle.version)",
                settings: bundle.settings)
            return .loaded(confinement: confinement)
        } catch {
            return .refused(error.description)
        }
    }

    private func take(_ events: [[UInt8]], wantsHealth: Bool) -> WorkerAnswer {
        guard let scripts else {
            return .events(events.map { _ in ScriptedEvent(.unchanged) }, failure: "no bundle is loaded", health: nil)
        }
        let results = events.map { Self.take($0, scripts) }
        return .events(results, failure: scripts.failure, health: wantsHealth ? scripts.takeHealth() : nil)
    }

    private static func take(_ text: [UInt8], _ scripts: WorkspaceRun) -> ScriptedEvent {
        // The text of an event is JSON, so this does not happen.
        guard let outcome = try? scripts.run(text) else { return ScriptedEvent(.unchanged) }
        let made = outcome.made.map { $0.encoded() }
        guard let after = outcome.event else { return ScriptedEvent(.dropped, made: made) }
        return ScriptedEvent(outcome.isChanged ? .changed(after.encoded()) : .unchanged, made: made)
    }
}
