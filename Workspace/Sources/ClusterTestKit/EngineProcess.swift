import Foundation
import Synchronization

/// A server of another maker as a process of a test.
///
/// The process ends with its object, and also when this program ends in any way: a shell reads from a pipe of this
/// program, and kills the server at the end of the pipe.
public final class EngineProcess: Sendable {
    /// A failure to start or to answer.
    public struct Failure: Error, CustomStringConvertible {
        /// The failure as a sentence.
        public let description: String
    }

    /// The file with the server's output.
    public let log: String
    private let commands: [[String]]
    private let folder: String
    private let environment: [String: String]
    private let running = Mutex<Running?>(nil)
    private let startCount = Mutex(0)

    private struct Running {
        let pid: pid_t
        let input: FileHandle
        let shell: Process
    }

    /// Starts a server.
    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - folder: an existing folder. It becomes the server's current folder and contains the log.
    ///   - environment: variables of the server, in addition to this program's.
    ///   - disk: the disk with the server's data; nil when it has no disk of its own.
    ///   - machine: the machine on which the server runs.
    public convenience init(
        _ command: [String], in folder: String, environment: [String: String] = [:], disk: EngineDisk? = nil,
        on machine: EngineMachine = .local
    ) throws {
        try self.init(inTurn: [command], in: folder, environment: environment, disk: disk, on: machine)
    }

    /// Starts a server of which there are several versions. Each start takes the next one.
    /// - Parameter commands: the programs, each with its arguments; at least one.
    public init(
        inTurn commands: [[String]], in folder: String, environment: [String: String] = [:], disk: EngineDisk? = nil,
        on machine: EngineMachine = .local
    ) throws {
        (self.folder, log) = (folder, "\(folder)/server.log")
        self.commands = commands.map { machine.entering(disk?.entering($0, in: folder) ?? $0) }
        self.environment = environment
        try start()
    }

    /// How often the server was started.
    public var starts: Int { startCount.withLock { $0 } }

    deinit { kill() }

    /// Starts the server again after `kill`, with the same data. Does nothing when it runs.
    public func start() throws {
        try running.withLock { running in
            guard running == nil else { return }
            let command = startCount.withLock { count in
                defer { count += 1 }
                return commands[count % commands.count]
            }
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/bash")
            shell.arguments = ["-c", Self.script, "engine", log] + command
            shell.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            shell.currentDirectoryURL = URL(fileURLWithPath: folder)
            let (input, output) = (Pipe(), Pipe())
            (shell.standardInput, shell.standardOutput) = (input, output)
            try shell.run()
            var line: [UInt8] = []
            while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
                line.append(byte)
            }
            guard let pid = pid_t(String(decoding: line, as: UTF8.self)) else {
                throw Failure(description: "\(command[0]) cannot be started")
            }
            running = Running(pid: pid, input: input.fileHandleForWriting, shell: shell)
        }
    }

    /// Ends the server with SIGKILL, and waits for its end. Does nothing when it does not run.
    public func kill() {
        running.withLock { running in
            guard let ended = running else { return }
            running = nil
            try? ended.input.close()
            ended.shell.waitUntilExit()
        }
    }

    /// Whether the server was started and has ended without being killed.
    public var hasEndedByItself: Bool {
        running.withLock { running in
            guard let pid = running?.pid else { return false }
            return Self.signal(pid, 0) != 0 && errno == ESRCH
        }
    }

    /// Stops the server without ending it, or lets it go on. The server does nothing any more when this returns.
    public func suspend(_ isSuspended: Bool) {
        running.withLock { running in
            guard let pid = running?.pid else { return }
            guard Self.signal(pid, isSuspended ? SIGSTOP : SIGCONT) == 0, isSuspended else { return }
            // The system stops a process a moment after the signal, and later on a busy machine.
            while Self.runs(pid) { usleep(1_000) }
        }
    }

    /// Whether a process is there and not stopped. Other systems than Linux do not say it.
    private static func runs(_ pid: pid_t) -> Bool {
        // A process that has ended has no such file.
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return false }
        let state = text[name...].split(separator: " ").dropFirst().first
        return !["T", "t", "Z", "X"].contains(state.map(String.init) ?? "X")
    }

    private static func signal(_ pid: pid_t, _ number: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.kill(pid, number)
        #else
        Foundation.kill(pid, number)
        #endif
    }

    /// Waits until the server answers.
    /// - Parameter answers: asks the server once.
    /// - Throws: `Failure` with the end of its log when it has not answered after three minutes.
    public func waitUntilReady(_ answers: () async -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(180)
        while await !answers() {
            guard ContinuousClock.now < end else {
                let log = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
                throw Failure(description: "\(commands[0][0]) does not answer: \(log.suffix(2_000))")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Starts the server, prints its process id, and kills it at the end of the input. `%1` cannot be another process
    /// that later got the same id. Only bash knows it without a terminal.
    private static let script = """
        log=$1; shift
        "$@" </dev/null >>"$log" 2>&1 &
        echo $!
        exec >/dev/null 2>&1
        cat
        kill -9 %1 2>/dev/null
        wait
        """
}
