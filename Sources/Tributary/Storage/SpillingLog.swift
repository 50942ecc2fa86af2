import Foundation

/// A place in a spilling log: how far its disk part and its memory part have been read.
struct LogPosition: Sendable, Equatable {
    var disk: UInt64
    var memory: UInt64

    func isAtOrAfter(_ other: LogPosition) -> Bool { disk >= other.disk && memory >= other.memory }
}

/// A log on disk that goes on in bounded memory while the disk refuses, and returns to it when it can.
///
/// Unchecked because the spill state is behind its lock, everything else is constant or safe by itself.
final class SpillingLog: @unchecked Sendable {
    private struct Spill {
        var isActive = false
        /// When the disk is tried again.
        var retryAt: TimeInterval = 0
        /// Memory records up to this one were given to a reader and must not be moved.
        var leased: UInt64 = 0
    }

    /// Seconds between two looks whether the disk takes records again.
    static let retryInterval: TimeInterval = 1

    let disk: (any RecordLog)?
    private let memory: MemoryLog
    private let spill = LockBox(Spill())
    private let time: any TimeSource
    private let report: @Sendable (Diagnostic) -> Void
    private let name: String

    init(
        name: String, disk: (any RecordLog)?, memory: MemoryLog, time: any TimeSource,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.name = name
        self.disk = disk
        self.memory = memory
        self.time = time
        self.report = report
    }

    var count: Int { (disk?.count ?? 0) + memory.count }
    /// Whether everything that was appended is on disk.
    var isDurable: Bool { disk != nil && memory.count == 0 }
    var epoch: UInt64 { disk?.epoch ?? 0 }
    var snapshot: [UInt8]? { disk?.snapshot ?? memory.snapshot }
    /// The place behind the newest record.
    var end: LogPosition { LogPosition(disk: disk?.lastSequence ?? 0, memory: memory.lastSequence) }
    /// The place up to which everything was removed.
    var start: LogPosition { LogPosition(disk: disk?.removedThrough ?? 0, memory: memory.removedThrough) }

    /// Appends a record; it is in memory only when the disk refuses it.
    func append(_ payload: [UInt8], origin: RecordOrigin? = nil, snapshot: [UInt8]? = nil) {
        guard let disk else {
            _ = memory.append(payload, origin: origin, snapshot: snapshot)
            return
        }
        if spill.withLock({ $0.isActive }), !returnToDisk(disk) {
            _ = memory.append(payload, origin: origin, snapshot: snapshot)
            return
        }
        do {
            _ = try disk.append(payload, origin: origin, snapshot: snapshot)
        } catch {
            beginSpilling(error)
            _ = memory.append(payload, origin: origin, snapshot: snapshot)
        }
    }

    /// Replaces the snapshot without a record.
    func append(snapshot: [UInt8]) {
        memory.append(snapshot: snapshot)
        guard let disk else { return }
        do { try disk.append(snapshot: snapshot) } catch { beginSpilling(error) }
    }

    /// Records after a place, disk before memory, and the place behind them.
    func read(after position: LogPosition, maxBytes: Int, maxCount: Int) -> (records: [LogRecord], end: LogPosition) {
        do {
            if let records = try disk?.read(after: position.disk, maxBytes: maxBytes, maxCount: maxCount),
                let last = records.last
            {
                return (records, LogPosition(disk: last.sequence, memory: position.memory))
            }
        } catch {
            report(Diagnostic(.storage, "the \(name) cannot be read now: \(error)"))
            return ([], position)
        }
        return spill.withLock { spill in
            let records = memory.read(after: position.memory, maxBytes: maxBytes, maxCount: maxCount)
            guard let last = records.last else { return ([], position) }
            spill.leased = last.sequence
            return (records, LogPosition(disk: position.disk, memory: last.sequence))
        }
    }

    /// Forgets everything up to a place.
    func remove(through position: LogPosition, mark: [UInt8]? = nil) {
        memory.removeThrough(position.memory, mark: mark)
        guard let disk, position.disk > disk.removedThrough else { return }
        do {
            try disk.removeThrough(position.disk, mark: mark)
        } catch {
            report(Diagnostic(.storage, "the \(name) cannot give up what was delivered: \(error)"))
        }
    }

    /// Makes sure that no later record gets a sequence up to that one.
    ///
    /// A power failure may take the newest records of the inbox, but not what the outbox knows of them.
    func reserve(through sequence: UInt64) {
        guard let disk, disk.lastSequence < sequence else { return }
        do { try disk.reserve(through: sequence) } catch { beginSpilling(error) }
    }

    func prepare() { disk?.prepare() }
    func close() { disk?.close() }

    private func beginSpilling(_ error: any Error) {
        let isFirst = spill.withLock { spill in
            defer {
                spill.isActive = true
                spill.retryAt = time.uptime + Self.retryInterval
            }
            return !spill.isActive
        }
        guard isFirst else { return }
        report(Diagnostic(.storage, "the \(name) cannot be written, events wait in memory: \(error)"))
    }

    /// Moves what waits in memory to the disk, when it is time and the disk takes it; true when all is on disk.
    private func returnToDisk(_ disk: any RecordLog) -> Bool {
        let isBack = spill.withLock { spill in
            guard spill.isActive, time.uptime >= spill.retryAt else { return !spill.isActive }
            do {
                for record in memory.read(after: spill.leased, maxBytes: .max, maxCount: .max) {
                    _ = try disk.append(record.payload, origin: record.origin, snapshot: memory.snapshot)
                    memory.removeThrough(record.sequence, mark: nil)
                }
            } catch {
                spill.retryAt = time.uptime + Self.retryInterval
                return false
            }
            spill.isActive = false
            return true
        }
        if isBack { report(Diagnostic(.storage, "the \(name) is written to disk again")) }
        return isBack
    }
}
