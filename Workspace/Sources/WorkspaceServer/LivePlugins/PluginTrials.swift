import Foundation
import Subprocess
import TributaryJSON
import WorkspaceCore

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Runs bundles on stored events. Each runs in a process of its own, with the sandbox and the limits of a device: a
/// bundle is a foreign program, and must not share memory with the events of all sources.
struct PluginTrials: Sendable {
    /// The path of the program `tributary`; nil when this server cannot start it.
    let program: String?

    /// - Throws: `Refusal` when the process cannot be started, or does not answer in time.
    func run(_ request: PluginTrialRequest) async throws -> JSON {
        guard let program else {
            throw Refusal(.unsupported, "this server cannot try live plugins; use tributary plugin test")
        }
        let answer = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try await Self.output(of: program, input: try request.json.encoded()) }
            group.addTask {
                try await Task.sleep(for: Limits.trialTime)
                return nil
            }
            // The end of the group ends the process, too.
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let answer else {
            throw Refusal(.unavailable, "the live plugins did not come to an end within \(Limits.trialTime)")
        }
        do {
            return try JSON.parse(answer, limits: JSONLimits(depth: Limits.depth + 8, bytes: Limits.trialAnswer))
        } catch {
            throw Refusal(
                .unavailable,
                "the process that tried the live plugins answered no JSON: \(ErrorReason.text(error))")
        }
    }

    /// Input and output are files, not pipes: the library for processes ends this process when a pipe breaks at the wrong
    /// moment.
    private static func output(of program: String, input: [UInt8]) async throws -> [UInt8] {
        let (given, taken) = (try UnnamedFile(input), try UnnamedFile())
        let status: TerminationStatus
        do {
            // The process does not get the variables of the server, because some of them hold tokens.
            status = try await Subprocess.run(
                .path(FilePath(program)), arguments: ["plugin", "trial"], environment: .custom(environment),
                input: .fileDescriptor(given.descriptor, closeAfterSpawningProcess: false),
                output: .fileDescriptor(taken.descriptor, closeAfterSpawningProcess: false), error: .discarded
            ).terminationStatus
        } catch let error as SubprocessError {
            throw Refusal(.unavailable, "the live plugins cannot be tried: \(ErrorReason.text(error))")
        }
        guard status.isSuccess else {
            throw Refusal(.unavailable, "the process that tried the live plugins ended: \(status)")
        }
        guard let answer = try taken.content(atMost: Limits.trialAnswer) else {
            throw Refusal(.unavailable, "the answer about the live plugins is too long")
        }
        return answer
    }

    /// The variables that a program needs to find its libraries.
    private static var environment: [Environment.Key: String] {
        let passed = ["PATH", "LD_LIBRARY_PATH", "LANG", "HOME"]
        let own = ProcessInfo.processInfo.environment.filter { passed.contains($0.key) }
        return Dictionary(own.compactMap { key, value in Environment.Key(rawValue: key).map { ($0, value) } }) { $1 }
    }
}

/// A file without a name, which disappears with the object. No other process can open it.
final class UnnamedFile: Sendable {
    let descriptor: FileDescriptor

    /// - Parameter content: what the file holds; it is read from its beginning.
    init(_ content: [UInt8] = []) throws {
        var template = Array("\(NSTemporaryDirectory())/tributary-XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        unlink(template)
        descriptor = FileDescriptor(rawValue: number)
        do {
            try descriptor.writeAll(content)
            try descriptor.seek(offset: 0, from: .start)
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    deinit { try? descriptor.close() }

    /// The content of the file; nil when it is longer than the limit.
    func content(atMost limit: Int) throws -> [UInt8]? {
        guard try descriptor.seek(offset: 0, from: .end) <= limit else { return nil }
        try descriptor.seek(offset: 0, from: .start)
        return [UInt8](try FileHandle(fileDescriptor: descriptor.rawValue, closeOnDealloc: false).readToEnd() ?? Data())
    }
}
