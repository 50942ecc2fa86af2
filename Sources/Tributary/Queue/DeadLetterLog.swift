import TributaryJournal

/// The log of events that the server refused for good. Most clients have none, so the log is opened at its first use.
/// An opening that fails is tried again at the next use.
final class DeadLetterLog: Sendable {
    /// Opens the log on disk; nil when events are in memory.
    typealias Opening = @Sendable () throws -> (any RecordLog)?

    /// The name of the log in diagnostics.
    static let name = "dead letters"

    private struct State {
        var open: Opening
        var log: FailoverLog?
        var isClosed = false
        /// Whether the log was purged and could not be opened for it.
        var owesPurge = false
    }

    private let state: LockBox<State>
    private let capacity: Int
    private let host: LogHost

    /// - Parameter capacity: the largest number of events in memory.
    init(capacity: Int, _ host: LogHost, _ open: @escaping Opening) {
        state = LockBox(State(open: open))
        self.capacity = capacity
        self.host = host
    }

    private func opened() throws -> FailoverLog {
        try state.withLock { state in
            if let log = state.log { return log }
            let log = FailoverLog(Self.name, disk: try state.open(), capacity: capacity, host)
            if state.owesPurge {
                log.purge()
                state.owesPurge = false
            }
            // A use after the end of the client gets an answer, and the files are closed at once.
            if state.isClosed { log.close() } else { state.log = log }
            return log
        }
    }

    /// Whether the log was opened.
    var isOpen: Bool { state.withLock { $0.log } != nil }
    var count: Int { (try? opened())?.count ?? 0 }
    /// Whether the files are still where they were opened.
    var isAttached: Bool { state.withLock { $0.log }?.isAttached ?? true }

    func append(_ letter: [UInt8]) throws { try opened().append(letter) }

    /// The oldest events.
    func read(maxCount: Int) throws -> [[UInt8]] {
        let log = try opened()
        var letters: [[UInt8]] = []
        var place = log.start
        // Events on disk come first, then those in memory.
        while letters.count < maxCount {
            let found = log.read(after: place, maxBytes: .max, maxCount: maxCount - letters.count)
            guard !found.records.isEmpty else { break }
            letters += found.records.map(\.payload)
            place = found.end
        }
        return letters
    }

    func removeAll() throws {
        let log = try opened()
        log.remove(through: log.end)
    }

    // MARK: Purging

    /// Deletes all events. Events that cannot be deleted now are deleted later; until then, nothing reads them.
    func purge() {
        do {
            try opened().purge()
        } catch {
            state.withLock { $0.owesPurge = true }
            host.report(.storage("the \(Self.name) cannot be deleted", error))
        }
    }

    /// Tries again to open the log for a purge. An open log finishes its purges by itself.
    func finishPurge() {
        if state.withLock({ $0.owesPurge }) { _ = try? opened() }
    }

    /// Whether the purged events would come back in the next process.
    var owesPurge: Bool {
        let (log, owesPurge) = state.withLock { ($0.log, $0.owesPurge) }
        return owesPurge || log?.owesPurge ?? false
    }

    // MARK: Files

    /// Moves the log to another place, with its events.
    /// - Throws: when the new log cannot be opened or does not take all events. Then the old log stays.
    func move(to open: @escaping Opening) throws {
        try state.withLock { state in
            if let log = state.log, let disk = try open() { try log.exchange(for: disk, after: 0) }
            state.open = open
        }
    }

    func close() {
        let log = state.withLock { state in
            state.isClosed = true
            defer { state.log = nil }
            return state.log
        }
        log?.close()
    }
}
