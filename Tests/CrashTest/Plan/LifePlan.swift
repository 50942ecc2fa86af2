import Foundation

/// What one client process does between its start and its end; drawn by the driver, handed over as JSON.
struct LifePlan: Codable, Sendable {
    /// Names the process in the ledger and in its events.
    var name: String
    var writeKey: String
    var port: UInt16
    /// Where the client keeps its events.
    var storage: String
    /// The file that tells the driver what happened.
    var ledger: String
    var seed: UInt64
    /// From when on the clock goes faster, in milliseconds since 1970.
    var clockStart: Int64
    /// Where it kills itself; without one the driver does. A second after the end of its work it does in any case.
    var killPoint: KillPoint?
    var threads = 4
    var eventsPerThread = 100
    /// Bytes of padding in each event.
    var padding = 0
    var flushAt = 20
    /// Whether the main thread serves its queue, or is blocked for the life of the process.
    var servesMain = true
    /// Which of the inbox's and outbox's operations meet a full disk, by their number.
    var fullDisk: Range<Int>?
    /// After which event of the first thread everything is purged.
    var purgeAfter: Int?
    /// Whether it goes on after the end of its work until the driver kills it.
    var endures = false
    /// Whether it tracks nothing and only sends what others left.
    var drains = false
    /// A draining process has one client, which has to adopt all queues but its own, or two.
    var clients = 1
    /// A fault of the client that the driver must notice.
    var sabotage: Sabotage?
}

/// A fault that is put between the client and the world, to see that the harness can fail.
enum Sabotage: String, Codable, Sendable, CaseIterable {
    /// Some records never reach the inbox's file, although the write is said to have worked.
    case inboxWritesVanish
    /// Some records never reach the outbox's file, although the write is said to have worked.
    case outboxWritesVanish
    /// Each sending of an event gives it another id, and some confirmations are lost on their way.
    case idsChange
    /// Batches are turned round on their way.
    case batchesTurned
    /// A plugin drops what nobody asked it to drop.
    case eventsDropped
    /// Some calls of `track` are told to have returned although they were not made.
    case callsSkipped
    /// Confirmations are lost on their way; no harm may come from that.
    case confirmationsVanish
}
