import CWorkerProcess
import Dispatch
import Foundation
import Synchronization

/// A process for the scripts of one version of one source, or for one query. It has no files, no network and no other rights.
///
/// Questions are asked one at a time. A process that does not answer in time, or not what it was asked, is ended.
final class WorkerProcess: Sendable {
    /// Why a process gave no answer. It has ended then.
    struct Ended: Error, CustomStringConvertible {
        let description: String
        /// Whether the server ended it, because it did not answer in time.
        var isLate = false
    }

    private let socket: Int32
    private let process: pid_t
    /// Waits for answers, so that no thread of the server's pool does.
    private let queue: DispatchQueue
    private let hasEnded = Mutex(false)

    /// Starts a process.
    /// - Parameters:
    ///   - program: the path of the program `tributary`.
    ///   - command: the words of the command, without the write key.
    ///   - writeKey: the write key of its source, by which an operator finds it in a list of processes.
    ///   - options: variables of its environment that only the engine reads.
    /// - Throws: `Ended` when the system does not start it.
    init(
        program: String, command: [String] = ["plugin", "worker"], writeKey: String, options: [String] = []
    ) throws(Ended) {
        var (process, socket): (pid_t, Int32) = (0, -1)
        let result = Self.withStrings([program] + command + [writeKey]) { arguments in
            Self.withStrings(Self.environment + options) { environment in
                tributary_worker_start(program, arguments, environment, &process, &socket)
            }
        }
        guard result == 0 else {
            throw Ended(description: "the system does not start it: \(String(cString: strerror(result)))")
        }
        (self.process, self.socket) = (process, socket)
        queue = DispatchQueue(label: "tributary.worker.\(process)")
    }

    deinit {
        end()
        close(socket)
    }

    /// The number of the process.
    var number: Int32 { process }

    /// Asks a question, and waits for the answer.
    /// - Throws: `Ended`.
    func ask(_ question: WorkerQuestion, within patience: Duration) async throws(Ended) -> WorkerAnswer {
        let content = try await exchange(WorkerMessages.encoded(question), within: patience)
        guard let answer = WorkerMessages.answer(content) else { throw ended(because: "its answer makes no sense") }
        return answer
    }

    /// Sends a message, and waits for the content of its answer.
    /// - Throws: `Ended`.
    func exchange(_ message: [UInt8], within patience: Duration) async throws(Ended) -> [UInt8] {
        let milliseconds = Int32(clamping: patience.components.seconds * 1_000)
        let result: Result<[UInt8], Ended> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(returning: Result { () throws(Ended) in try exchange(message, milliseconds) })
            }
        }
        return try result.get()
    }

    /// Ends the process at once.
    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { _ = tributary_worker_end(process) }
    }

    private func exchange(_ message: [UInt8], _ milliseconds: Int32) throws(Ended) -> [UInt8] {
        guard tributary_worker_send(socket, message, message.count, milliseconds) == 0 else { throw ended() }
        var head = [UInt8](repeating: 0, count: WorkerMessages.headBytes)
        let result = tributary_worker_receive(socket, &head, head.count, milliseconds)
        guard result == 0 else {
            guard result == ETIMEDOUT else { throw ended() }
            end()
            throw Ended(description: "it did not answer within \(milliseconds / 1_000) s", isLate: true)
        }
        guard let count = WorkerMessages.length(head) else { throw ended(because: "its answer is too long") }
        var content = [UInt8](repeating: 0, count: count)
        guard tributary_worker_receive(socket, &content, count, milliseconds) == 0 else { throw ended() }
        return content
    }

    private func ended(because reason: String? = nil) -> Ended {
        end()
        return Ended(description: reason ?? "it ended")
    }

    /// The variables that a program needs to find its libraries. The others of the server may hold tokens.
    private static let environment: [String] = ["PATH", "LD_LIBRARY_PATH", "LANG"].compactMap { name in
        ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
    }

    private static func withStrings<Value>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Value
    ) -> Value {
        let strings: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        return strings.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
