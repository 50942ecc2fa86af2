import Foundation
import Synchronization

/// Says on standard error what the program waits for and how far it is, as long as it does.
///
/// A program does one thing at a time, so there is one notice for the process.
package enum Waiting {
    private struct State {
        var notice = WaitingNotice(isatty(STDERR_FILENO) == 1 ? .terminal : .log)
        var isTicking = false
        var isOnScreen = false
    }

    private static let state = Mutex(State())

    /// Waits for an answer or a step while the work runs.
    package static func during<Result, Fault: Error>(
        _ what: String, _ work: () async throws(Fault) -> Result
    ) async throws(Fault) -> Result {
        change { $0.begin(.ordinary(what), at: now) }
        defer { change { $0.end() } }
        return try await work()
    }

    /// The program waits until `end`; the time of a wait that goes on for the same thing is kept.
    package static func begin(_ what: String) { change { $0.begin(.ordinary(what), at: now) } }

    /// Something is in the way, and the command tries again until `end`.
    package static func obstacle(_ what: String) { change { $0.begin(.obstacle(what), at: now) } }

    /// The command no longer waits.
    package static func end() { change { $0.end() } }

    /// How far the whole work is.
    /// - Parameter share: from 0 to 1, where that is known.
    package static func show(_ text: String, share: Double? = nil) { change { $0.work(text, share: share, at: now) } }

    /// The work is done.
    package static func finish() { change { $0.finish() } }

    /// How to stop the command, and the state after that.
    package static func explain(stop: String) { change { $0.stop = stop } }

    /// Makes room for other lines; the notice comes again when there is still something to wait for.
    package static func clear() { state.withLock { clear(&$0) } }

    private static var now: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000) }

    private static func change(_ change: (inout WaitingNotice) -> Void) {
        let begins = state.withLock { state in
            change(&state.notice)
            clear(&state)
            defer { state.isTicking = true }
            return !state.isTicking
        }
        guard begins else { return }
        // A thread, because a command without `async` keeps its own until its end.
        Thread.detachNewThread {
            while true {
                Thread.sleep(forTimeInterval: 0.25)
                tick()
            }
        }
    }

    private static func tick() {
        state.withLock { state in
            guard let line = state.notice.line(at: now) else { return clear(&state) }
            switch state.notice.output {
            case .log: write(line + "\n")
            case .terminal:
                write("\r\u{1B}[K" + line.prefix(width - 1))
                state.isOnScreen = true
            }
        }
    }

    private static func clear(_ state: inout State) {
        if state.isOnScreen { write("\r\u{1B}[K") }
        state.isOnScreen = false
    }

    // An error of the write is ignored, because there is no other output to report it to.
    private static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// A longer line would wrap, and could not be redrawn.
    private static var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
        return Int(size.ws_col)
    }
}
