import Dispatch
import Foundation

/// The end of a command that goes on until the user ends it with control and C, or another program with SIGTERM.
enum Interruption {
    /// Runs the work until it throws, or until the user ends it, which is no failure.
    static func ends(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch is CancellationError {
            return
        }
    }
}
