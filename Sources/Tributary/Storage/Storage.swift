import Foundation
import TributaryJournal

/// Opens what a client keeps: inbox, outbox and dead letters of a lane that nobody else uses.
struct Storage {
    /// Lanes of one write key that are tried; each is another live client of the same app.
    private static let lanes: UInt64 = 64

    let location: StorageLocation?
    let lane: UInt64
    let inbox: SpillingLog
    let outbox: SpillingLog
    let deadLetters: any RecordLog
    /// Where the lane keeps the state of retries; nil when it works in memory.
    let retryStateFile: RetryStateFile?

    init(values: Configuration.Values, accounts: Accounts, report: @escaping @Sendable (Diagnostic) -> Void) {
        let location = StorageLocation(mode: values.storageMode, writeKey: values.writeKey)
        let disk = location.flatMap { Self.open($0, values.files, report) }
        self.location = disk == nil ? nil : location
        lane = disk?.lane ?? 0
        retryStateFile = self.location.map { location in
            let file = location.lane(disk?.lane ?? 0).appendingPathComponent("delivery.json")
            return RetryStateFile(path: file.path, files: values.files)
        }
        var capacity = Limits.memoryEvents
        if case .memory(let count) = values.storageMode { capacity = count }

        func log(_ name: String, _ disk: (any RecordLog)?) -> SpillingLog {
            let memory = MemoryLog(capacity: capacity) { count in
                accounts.count { $0.lost["memory_full", default: 0] += count }
                report(Diagnostic(.eventDropped, "the \(name) in memory is full, the oldest event goes", count: count))
            }
            return SpillingLog(name: name, disk: disk, memory: memory, time: values.time, report: report)
        }
        inbox = log("inbox", disk?.inbox)
        outbox = log("outbox", disk?.outbox)
        deadLetters = disk?.deadLetters ?? MemoryLog(capacity: capacity) { _ in }
    }

    private struct Lane {
        let lane: UInt64
        let inbox: any RecordLog
        let outbox: any RecordLog
        let deadLetters: any RecordLog
    }

    /// The first lane that is free. A second client of the same app takes the next one.
    private static func open(
        _ location: StorageLocation, _ files: any FileSystem, _ report: @escaping @Sendable (Diagnostic) -> Void
    ) -> Lane? {
        do {
            try location.create()
            for number in 0..<lanes {
                let folder = location.lane(number)
                guard let inbox = try DiskLog.open(folder, "inbox", files: files, report) else { continue }
                guard let outbox = try DiskLog.open(folder, "outbox", files: files, report),
                    let deadLetters = try DiskLog.open(folder, "dead-letters", files: files, report)
                else { continue }
                if number > 0 {
                    report(Diagnostic(.configuration, "another client has this write key: this one is lane \(number)"))
                }
                return Lane(lane: number, inbox: inbox, outbox: outbox, deadLetters: deadLetters)
            }
            report(Diagnostic(.storage, "\(lanes) clients have this write key: this one keeps events in memory"))
        } catch {
            report(Diagnostic(.storage, "events are kept in memory, the disk cannot be used: \(error)"))
        }
        return nil
    }
}
