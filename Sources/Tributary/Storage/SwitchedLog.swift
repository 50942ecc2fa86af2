import TributaryJournal

/// A log that is opened at its first use, because most clients never need it, and that can be exchanged for another.
///
/// An opening that fails is tried again at the next use. Until then what is read of it is empty.
final class SwitchedLog: RecordLog {
    typealias Opening = @Sendable () throws -> any RecordLog

    private struct State {
        var opening: Opening
        var log: (any RecordLog)?
        var isClosed = false
        /// What is found at the opening was given up before.
        var owesPurge = false
    }

    private let state: LockBox<State>

    init(_ opening: @escaping Opening) { state = LockBox(State(opening: opening)) }

    private func opened() throws -> any RecordLog {
        try state.withLock { state in
            if let log = state.log { return log }
            let log = try state.opening()
            if state.owesPurge {
                state.owesPurge = false
                // What it cannot take note of, it owes itself.
                try? log.purge()
            }
            // After the end it serves whoever still asks, and gives its files back at once.
            if state.isClosed { log.close() } else { state.log = log }
            return log
        }
    }

    /// Whether it was used.
    var isOpen: Bool { state.withLock { $0.log } != nil }
    private var current: (any RecordLog)? { try? opened() }

    var isLasting: Bool { current?.isLasting ?? false }
    var epoch: UInt64 { current?.epoch ?? 0 }
    var count: Int { current?.count ?? 0 }
    var byteCount: Int { current?.byteCount ?? 0 }
    var lastSequence: UInt64 { current?.lastSequence ?? 0 }
    var removedThrough: UInt64 { current?.removedThrough ?? 0 }
    var snapshot: [UInt8]? { current?.snapshot }
    var mark: [UInt8] { current?.mark ?? [] }
    var lastOrigin: RecordOrigin? { current?.lastOrigin }
    var isAttached: Bool { state.withLock { $0.log }?.isAttached ?? true }

    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) throws -> UInt64 {
        try opened().append(payload, origin: origin, snapshot: snapshot)
    }

    func append(snapshot: [UInt8]) throws { try opened().append(snapshot: snapshot) }
    func reserve(through sequence: UInt64) throws { try opened().reserve(through: sequence) }

    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord] {
        try opened().read(after: sequence, through: last, maxBytes: maxBytes, maxCount: maxCount)
    }

    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) throws {
        try opened().removeThrough(sequence, mark: mark)
    }

    func setBounds(_ bounds: JournalBounds) { state.withLock { $0.log }?.setBounds(bounds) }
    func purge() throws {
        do {
            try opened().purge()
        } catch {
            state.withLock { if $0.log == nil { $0.owesPurge = true } }
            throw error
        }
    }

    var owesPurge: Bool {
        let (log, owesPurge) = state.withLock { ($0.log, $0.owesPurge) }
        return owesPurge || log?.owesPurge ?? false
    }

    func finishPurge() throws { try opened().finishPurge() }

    func prepare() { state.withLock { $0.log }?.prepare() }

    func close() {
        let log = state.withLock { state in
            state.isClosed = true
            defer { state.log = nil }
            return state.log
        }
        log?.close()
    }

    /// Takes over what the old log still has.
    /// - Throws: when the new one cannot be opened or does not take all of it; then the old one stays.
    func exchange(for opening: @escaping Opening) throws {
        try state.withLock { state in
            if let old = state.log {
                state.log = try Self.copy(of: old, in: opening())
                old.close()
            }
            state.opening = opening
        }
    }

    private static func copy(of old: any RecordLog, in new: any RecordLog) throws -> any RecordLog {
        do {
            for record in try old.read(after: 0, maxBytes: .max, maxCount: .max) {
                _ = try new.append(record.payload, origin: record.origin, snapshot: nil)
            }
            return new
        } catch {
            // Else a second try would have twice what this one moved.
            try? new.purge()
            new.close()
            throw error
        }
    }
}
