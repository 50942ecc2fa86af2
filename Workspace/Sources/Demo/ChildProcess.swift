import Foundation

/// A program that runs beside this one; its output is kept, line by line, as far as it is recent.
final class ChildProcess: Sendable {
    /// How a process ended.
    enum Ending: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    private static let keptLines = 200

    let name: String
    private let process: Process
    private let tail = Locked<[String]>([])
    private let lines: AsyncStream<String>
    private let ending: Task<Ending, Never>
    private let readers: Task<Void, Never>

    /// Starts it.
    /// - Parameter environment: what it has in its environment besides that of this process.
    init(_ program: URL, arguments: [String], environment: [String: String] = [:]) throws(DemoError) {
        name = program.lastPathComponent
        let process = Process()
        self.process = process
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipes = [Pipe(), Pipe()]
        process.standardOutput = pipes[0]
        process.standardError = pipes[1]

        let (exits, exit) = AsyncStream.makeStream(of: Ending.self)
        process.terminationHandler = { process in
            let status = process.terminationStatus
            exit.yield(process.terminationReason == .exit ? .exit(status) : .signal(status))
            exit.finish()
        }
        do {
            try Self.withOpenSignals { try process.run() }
        } catch {
            throw DemoError("\(name) cannot be started: \(error.localizedDescription)")
        }
        ending = Task { await exits.first { _ in true } ?? .exit(-1) }

        let (lines, line) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(Self.keptLines))
        self.lines = lines
        let tail = tail
        readers = Task {
            await withTaskGroup { group in
                for pipe in pipes {
                    let handle = pipe.fileHandleForReading
                    group.addTask { await Self.read(handle, into: tail, line) }
                }
            }
            line.finish()
        }
    }

    var processIdentifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// The most recent lines of both outputs.
    var output: [String] { tail.withLock { $0 } }

    /// The rest of the next line that begins with `prefix`; nil when the output or the time ends before.
    ///
    /// Lines that were passed over are gone for later calls.
    func line(after prefix: String, within seconds: TimeInterval) async -> String? {
        await withTaskGroup(of: String?.self) { [lines] group in
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
        guard process.isRunning else { return }
        kill(process.processIdentifier, number)
    }

    /// Waits for its end and for the end of its output.
    @discardableResult
    func ended() async -> Ending {
        let ending = await ending.value
        await readers.value
        return ending
    }

    /// Asks it to end, and waits until it has.
    func stop() async {
        signal(SIGTERM)
        await ended()
    }

    /// A child inherits which signals are blocked, and the threads of the pool that runs tasks block nearly all.
    private static func withOpenSignals(_ start: () throws -> Void) rethrows {
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try start()
    }

    /// Reads on a thread of its own, because a read waits.
    private static func read(
        _ handle: FileHandle, into tail: Locked<[String]>, _ continuation: AsyncStream<String>.Continuation
    ) async {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                var splitter = LineSplitter()
                while let bytes = available(handle) {
                    for line in splitter.add(bytes) { note(line, tail, continuation) }
                }
                if let line = splitter.rest { note(line, tail, continuation) }
                done.resume()
            }
        }
    }

    /// What is there as soon as anything is; nil at the end. `FileHandle` would wait until it has all it may have.
    private static func available(_ handle: FileHandle) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        var count = 0
        repeat {
            count = Foundation.read(handle.fileDescriptor, &buffer, buffer.count)
        } while count < 0 && errno == EINTR
        return count > 0 ? buffer[..<count] : nil
    }

    private static func note(
        _ line: String, _ tail: Locked<[String]>, _ continuation: AsyncStream<String>.Continuation
    ) {
        tail.withLock { tail in
            tail.append(line)
            if tail.count > keptLines { tail.removeFirst() }
        }
        continuation.yield(line)
    }
}
