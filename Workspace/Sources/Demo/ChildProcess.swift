import Foundation
import ProgramSupport
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A program that runs beside this one. Its most recent lines of output are kept.
final class ChildProcess: Sendable {
    /// How a process ended.
    enum Ending: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    private typealias Running = Execution<NoInput, SequenceOutput, SequenceOutput>

    /// The output of the process.
    private final class Output: Sendable {
        private static let keptLines = 200

        private let tail = Locked<[String]>([])
        private let continuation: AsyncStream<String>.Continuation
        let lines: AsyncStream<String>

        init() {
            (lines, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.keptLines))
        }

        var recent: [String] { tail.withLock { $0 } }

        func read(_ sequence: SubprocessOutputSequence) async throws {
            for try await line in sequence.strings(bufferingPolicy: .unbounded) {
                tail.withLock { tail in
                    tail.append(line)
                    if tail.count > Self.keptLines { tail.removeFirst() }
                }
                continuation.yield(line)
            }
        }

        func finish() { continuation.finish() }
    }

    let name: String
    let processIdentifier: Int32
    private let written: Output
    private let isOver: Locked<Bool>
    private let run: Task<Ending, any Error>

    /// Starts it.
    /// - Parameters:
    ///   - environment: variables besides those of this process.
    ///   - folder: the folder that it runs in; nil for that of this process.
    init(
        _ program: URL, arguments: [String], environment: [String: String] = [:], folder: String? = nil
    ) async throws(DemoError) {
        let (starts, start) = AsyncStream.makeStream(of: Int32.self)
        let (written, isOver) = (Output(), Locked(false))
        let additions = environment.compactMap { key, value in Environment.Key(rawValue: key).map { ($0, value) } }
        let run = Task {
            defer {
                isOver.withLock { $0 = true }
                written.finish()
                start.finish()
            }
            let result = try await Subprocess.run(
                .path(FilePath(program.path)), arguments: Arguments(arguments),
                environment: .inherit.updating(Dictionary(additions) { $1 }),
                workingDirectory: folder.map { FilePath($0) }, input: .none, output: .sequence, error: .sequence
            ) { (running: Running) in
                start.yield(running.processIdentifier.value)
                async let errors: Void = written.read(running.standardError)
                try await written.read(running.standardOutput)
                try await errors
            }
            return Ending(result.terminationStatus)
        }
        name = program.lastPathComponent
        (self.written, self.isOver, self.run) = (written, isOver, run)
        // In a cancelled task the wait for the start would end at once, and then `failure` would wait for a running program.
        guard let started = await Task(operation: { await starts.first { _ in true } }).value else {
            throw DemoError("\(name) cannot be started: \(await run.failure)")
        }
        processIdentifier = started
    }

    var isRunning: Bool { !isOver.withLock { $0 } }

    /// The most recent lines of both outputs.
    var output: [String] { written.recent }

    /// The rest of the next line that begins with `prefix`; nil when the output ends or the time is over before.
    ///
    /// Later calls do not see the lines before it.
    func line(after prefix: String, within seconds: TimeInterval) async -> String? {
        await withTaskGroup(of: String?.self) { [lines = written.lines] group in
            group.addTask {
                for await line in lines where line.hasPrefix(prefix) { return String(line.dropFirst(prefix.count)) }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(seconds))  // woken early when the line was there before
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    func signal(_ number: Int32) {
        guard isRunning else { return }
        kill(processIdentifier, number)
    }

    /// Waits for its end and for the end of its output.
    @discardableResult
    func ended() async -> Ending { (try? await run.value) ?? .exit(-1) }

    /// Asks the process to end, and waits for its end.
    func stop() async {
        signal(SIGTERM)
        await ended()
    }
}

extension ChildProcess.Ending {
    fileprivate init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .exit(code)
        case .signaled(let number): self = .signal(number)
        }
    }
}

extension Task where Failure == any Error {
    /// Why it failed, in words; waits for its end.
    fileprivate var failure: String {
        get async {
            if case .failure(let error) = await result { "\(error)" } else { "it ended at once" }
        }
    }
}
