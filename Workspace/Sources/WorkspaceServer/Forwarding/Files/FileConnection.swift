import Dispatch
import Logging
import WorkspaceCore

/// Writes events to files. Events that wait at the same time are written together.
struct FileConnection: DestinationConnection {
    private let batches: BatchingConnection
    private let files: HourFiles
    /// Writing waits for the disk, so it has a thread of its own.
    private let line: DispatchQueue
    private let logger: Logger

    init(files: HourFiles, logger: Logger) {
        let line = DispatchQueue(label: "tributary.files", qos: .utility)
        (self.files, self.line, self.logger) = (files, line, logger)
        batches = BatchingConnection(events: Limits.fileBatch, deliveries: 1) { events in
            let answer = await Self.on(line) { files.add(events) }
            return Array(repeating: answer, count: events.count)
        }
    }

    var parallelRequests: Int { batches.parallelRequests }

    func send(_ event: ForwardedEvent) async -> ForwardingAnswer { await batches.send(event) }

    func accompany() async {
        var logged: [String] = []
        while !Task.isCancelled {
            let failures = await Self.on(line) { files.closeHours() }
            // A file that fails each time is logged once.
            for failure in failures where !logged.contains(failure) {
                logger.error("a file of events cannot be completed", metadata: ["error": "\(failure)"])
            }
            logged = failures
            // When the task is cancelled, the loop ends.
            try? await Task.sleep(for: Limits.filePause)
        }
    }

    /// The event is not written: a file for a warehouse has no place for it.
    func test(_ event: ForwardedEvent) async -> ForwardingAnswer { await Self.on(line) { files.tryFolder() } }

    private static func on<Result: Sendable>(
        _ line: DispatchQueue, _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in line.async { continuation.resume(returning: work()) } }
    }
}
