import Dispatch
import Foundation
import Tributary

/// A client process, from its start to its end.
///
/// Unchecked because the process is only started once and then asked for its id and its end.
final class ChildProcess: @unchecked Sendable {
    /// How it ended.
    enum Ending: Equatable, Sendable {
        case killed
        /// By the driver's SIGTERM.
        case ended
        case exited(Int32)
        /// A signal that nobody sent: the client brought its app down.
        case crashed(signal: Int32)
    }

    private let process = Process()
    private let ended = DispatchSemaphore(value: 0)

    /// Starts this executable with a plan; what it says goes to that file.
    init(_ plan: LifePlan, executable: String, output: String) throws {
        process.executableURL = URL(fileURLWithPath: executable)
        let json = try JSONEncoder().encode(plan)
        process.arguments = ["client", String(decoding: json, as: UTF8.self)]
        _ = FileManager.default.createFile(atPath: output, contents: json + Data("\n".utf8))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        try file.seekToEnd()
        process.standardOutput = file
        process.standardError = file
        process.standardInput = FileHandle.nullDevice
        let ended = ended
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
    }

    /// Waits for its end, at most that long; false when it still runs.
    func wait(seconds: Double) -> Bool {
        guard ended.wait(timeout: .now() + seconds) == .success else { return false }
        ended.signal()
        return true
    }

    func kill() { send(SIGKILL) }

    func end() { send(SIGTERM) }

    private func send(_ signal: Int32) {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, signal) }
    }

    /// To be asked when it has ended.
    var ending: Ending {
        guard process.terminationReason == .uncaughtSignal else { return .exited(process.terminationStatus) }
        switch process.terminationStatus {
        case SIGKILL: return .killed
        case SIGTERM: return .ended
        case let signal: return .crashed(signal: signal)
        }
    }
}
