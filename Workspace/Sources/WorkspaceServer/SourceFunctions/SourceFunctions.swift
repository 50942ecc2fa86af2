import Logging
import Synchronization
import TributaryJSON
import WorkspaceCore

/// The source functions that run, each with a process and a queue of its own. May be used from any task.
final class SourceFunctions: Sendable {
    /// The queue of one source, which stays when its function changes.
    struct Lane: Sendable {
        let turns = Turns()
        var gate = HookGate()
        var record = HookRecord()
        var running: Running?
    }

    /// A function with the worker that runs it.
    struct Running: Sendable {
        let function: SourceFunction
        let run: SourceFunctionRun
    }

    /// The path of the program `tributary`; nil when this server runs no scripts.
    let program: String?
    private let logger: Logger
    private let lanes = Mutex<[Int64: Lane]>([:])

    init(program: String?, logger: Logger) { (self.program, self.logger) = (program, logger) }

    static let withoutProgram = Refusal(
        .unsupported, "source functions run in a server that was started by the program tributary, and this one was not"
    )

    /// The run of the function of a source. A changed function gets another process.
    func run(of source: Source, _ function: SourceFunction) throws(Refusal) -> SourceFunctionRun {
        try lanes.withLock { lanes throws(Refusal) in
            var lane = lanes[source.id] ?? Lane()
            if let running = lane.running, running.function == function { return running.run }
            let settings = try SourceFunctionSettings(function.settings)
            let run = try SourceFunctionRun(
                stored: settings, FunctionSecrets(function.secrets), try worker(settings, label: source.writeKey))
            lane.running = Running(function: function, run: run)
            lanes[source.id] = lane
            return run
        }
    }

    func worker(_ settings: SourceFunctionSettings, label: String) throws(Refusal) -> FunctionWorker {
        guard let program else { throw Self.withoutProgram }
        return FunctionWorker(
            FunctionWorker.Program(path: program, label: label), .source, code: settings.code, values: settings.values,
            logger: logger)
    }

    /// Changes the lane of a source.
    func change<Value: Sendable>(_ source: Int64, _ change: (inout Lane) -> Value) -> Value {
        lanes.withLock { lanes in change(&lanes[source, default: Lane()]) }
    }

    func record(of source: Int64) -> HookRecord { lanes.withLock { $0[source]?.record ?? HookRecord() } }

    /// Ends the process of a function that was removed.
    func forget(_ source: Int64) { lanes.withLock { $0[source]?.running = nil } }
}
