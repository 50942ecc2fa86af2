public import Foundation
public import Tributary
import TributaryJSON

/// Writes each signal unchanged to a file, one per line. A generator can be tested with such a recorded session.
///
/// A new recording replaces the file. Only this user can read it. Recording ends with a diagnostic when the file has 64
/// MB. When the file is deleted meanwhile, a diagnostic says so, and the next signal begins a new file.
public final class SessionRecorder: SignalBroadcaster, RecordBroadcaster, Sendable {
    private struct State {
        weak var analytics: Analytics?
        var file: FileHandle?
        /// The system's number of the file.
        var number: NSNumber?
        var bytes = 0
        var isOver = false
    }

    private let state = LockBox(State())
    private let recordingFile: URL
    private let limit: Int

    /// - Parameter recordingFile: where to; its folder must be there.
    public convenience init(recordingFile: URL) {
        self.init(recordingFile: recordingFile, limit: SignalLimits.recordedBytes)
    }

    package init(recordingFile: URL, limit: Int) {
        self.recordingFile = recordingFile
        self.limit = limit
    }

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// A signal that was emitted somewhere else.
    public func added(signal: any RawSignal) {
        take(signal)
    }

    func added(record: SignalRecord) {
        let line = Data((record.text + "\n").utf8)
        for problem in state.withLock({ write(line, &$0) }) {
            analytics?.report(Diagnostic(.signals, problem, plugin: "SessionRecorder"))
        }
    }

    public func relay() {}

    /// - Returns: what the developer has to know.
    private func write(_ line: Data, _ state: inout State) -> [String] {
        guard !state.isOver else { return [] }
        var problems: [String] = []
        do {
            let file = try file(&state, &problems)
            guard state.bytes + line.count <= limit else { throw CocoaError(.fileWriteOutOfSpace) }
            if #available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *) {
                try file.write(contentsOf: line)
            } else {
                file.write(line)
            }
            state.bytes += line.count
        } catch {
            state.isOver = true
            state.file = nil
            problems.append("the recording ends after \(state.bytes) bytes: \(error)")
        }
        return problems
    }

    /// The file of the recording. When it was deleted, a new recording begins.
    private func file(_ state: inout State, _ problems: inout [String]) throws -> FileHandle {
        if let file = state.file {
            if state.number == number { return file }
            problems.append("somebody deleted the recording after \(state.bytes) bytes; a new one begins")
            try FileManager.default.createDirectory(
                at: recordingFile.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try Data().write(to: recordingFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: recordingFile.path)
        let file = try FileHandle(forWritingTo: recordingFile)
        (state.file, state.number, state.bytes) = (file, number, 0)
        return file
    }

    /// The system's number of the file that is there now.
    private var number: NSNumber? {
        // Without the attributes there is no file.
        (try? FileManager.default.attributesOfItem(atPath: recordingFile.path))?[.systemFileNumber] as? NSNumber
    }
}
