import Foundation

/// A run of the real executable.
final class CommandRun: Sendable {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()
    private let exits: AsyncStream<Int32>

    /// Starts `tributary` of the same build.
    /// - Parameters:
    ///   - token: the admin token in its environment; nil for none.
    ///   - variables: what else is in it.
    ///   - input: its standard input; nothing unless given, so no command waits for the terminal of the tests.
    init(
        _ arguments: [String], token: String? = TestClient.token, environment variables: [String: String] = [:],
        input: FileHandle = .nullDevice
    ) throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        environment["TRIBUTARY_ADMIN_TOKEN"] = token
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            exit.yield(process.terminationStatus)
            exit.finish()
        }
        (self.process, self.exits) = (process, exits)
        try process.run()
    }

    /// Runs to the end.
    static func finish(_ arguments: [String], token: String? = TestClient.token) async throws -> Outcome {
        try await CommandRun(arguments, token: token).finished()
    }

    func finished() async throws -> Outcome {
        let (output, errors) = (output.fileHandleForReading, errors.fileHandleForReading)
        // At the same time, because a command waits while one of its pipes is full.
        async let text = Self.blocking { Self.rest(of: output) }
        async let errorText = Self.blocking { Self.rest(of: errors) }
        var iterator = exits.makeAsyncIterator()
        let status = await iterator.next() ?? -1
        return Outcome(status: status, output: await text, errors: await errorText)
    }

    /// The text that still comes from a pipe. `FileHandle` ends the program when a signal comes meanwhile.
    static func rest(of pipe: FileHandle) -> String {
        var (text, piece) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while true {
            let count = read(pipe.fileDescriptor, &piece, piece.count)
            if count > 0 { text += piece[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { return String(decoding: text, as: UTF8.self) }
        }
    }

    /// Reads the output up to a line that begins so, and returns the rest of it; nil when the output ends before.
    func line(after prefix: String) async -> String? {
        let handle = output.fileHandleForReading
        return await Self.blocking {
            var line: [UInt8] = []
            while let byte = try? handle.read(upToCount: 1)?.first {
                if byte != UInt8(ascii: "\n") {
                    line.append(byte)
                    continue
                }
                let text = String(decoding: line, as: UTF8.self)
                if text.hasPrefix(prefix) { return String(text.dropFirst(prefix.count)) }
                line = []
            }
            return nil
        }
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// The executable lies beside the test bundle.
    static var executable: URL {
        #if canImport(Darwin)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let folder = bundle?.deletingLastPathComponent() ?? URL(fileURLWithPath: ".build/debug")
        #else
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #endif
        return folder.appendingPathComponent("tributary")
    }

    private static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}
