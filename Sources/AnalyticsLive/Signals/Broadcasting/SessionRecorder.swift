public import Foundation
public import Tributary
import TributaryJSON

/// Writes each signal unchanged to a file, one per line. A generator can be tested with such a recorded session.
///
/// A new recording replaces the file. Only this user can read it. Recording ends with a diagnostic when the file has 64
/// MB.
public final class SessionRecorder: SignalBroadcaster, RecordBroadcaster, Sendable {
    private struct State {
        weak var analytics: Analytics?
        var file: FileHandle?
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
        let problem = state.withLock { state -> String? in
            guard !state.isOver else { return nil }
            do {
                guard state.bytes + line.count <= limit else { throw CocoaError(.fileWriteOutOfSpace) }
                let file = try state.file ?? begin()
                state.file = file
                if #available(macOS 10.15.4, iOS 13.4, tvOS 13.4, watchOS 6.2, *) {
                    try file.write(contentsOf: line)
                } else {
                    file.write(line)
                }
                state.bytes += line.count
                return nil
            } catch {
                state.isOver = true
                state.file = nil
                return "the recording ends after \(state.bytes) bytes: \(error)"
            }
        }
        if let problem { analytics?.report(Diagnostic(.signals, problem, plugin: "SessionRecorder")) }
    }

    public func relay() {}

    private func begin() throws -> FileHandle {
        try Data().write(to: recordingFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: recordingFile.path)
        return try FileHandle(forWritingTo: recordingFile)
    }
}
