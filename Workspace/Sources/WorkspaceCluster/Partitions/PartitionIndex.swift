import WorkspaceCore
import WorkspaceServer

/// The newest messages of a partition, so that an event that a client repeats is stored once.
///
/// Whether an event is a repetition depends only on the log. Every owner has to decide the same, because it has to make
/// the same block. An event is a repetition when an earlier row has its identity, and
///
/// - that row arrived no more than the window earlier, or
/// - the event's own time lies further back than the window, or is not known. The store is asked about such an event.
///
/// A client repeats an event that it made a moment ago, or one that it kept for long. In the second case the event's
/// own time is old.
struct PartitionIndex: Sendable {
    private var places: [RowIdentity: MessageLocation]
    /// Milliseconds.
    private let window: Int64
    private var newest: Int64 = 0
    private var trimmedAt: Int64 = 0

    /// How far the clocks of nodes may differ, and how late a record may come into the log, beyond the window;
    /// milliseconds. The index also holds the rows that arrived in that time, and a new owner reads them from the
    /// store.
    static let slack: Int64 = 120_000

    init(_ places: [RowIdentity: MessageLocation], window: Int64) { (self.places, self.window) = (places, window) }

    /// The events of a batch about which the store has to be asked.
    func old(in batch: IncomingBatch) -> [RowIdentity] {
        batch.events.filter { isOld($0, in: batch) }.map { $0.identity(in: batch.source) }
    }

    /// The earliest time at which one of these events can have arrived before.
    func earliest(in batch: IncomingBatch) -> Int64 {
        let remembered = batch.receivedAt - Limits.rememberedDays * Day.milliseconds
        let own = batch.events.compactMap { isOld($0, in: batch) ? $0.times.originalTimestamp : nil }
        // The clock of the device may be wrong, so one more day is searched.
        return max(remembered, min(batch.receivedAt, own.min() ?? remembered) - Day.milliseconds)
    }

    /// The earlier places of the rows of a batch.
    /// - Parameter others: rows that the index does not have: from earlier records of the same block, and from the
    ///   store.
    func known(
        _ identities: Set<RowIdentity>, of batch: IncomingBatch, besides others: [[RowIdentity: MessageLocation]]
    ) -> [RowIdentity: MessageLocation] {
        let old = Set(old(in: batch))
        var known: [RowIdentity: MessageLocation] = [:]
        for identity in identities {
            guard let place = others.lazy.compactMap({ $0[identity] }).first ?? places[identity] else { continue }
            let isNear = abs(batch.receivedAt - place.receivedAt) <= window
            if isNear || old.contains(identity) { known[identity] = place }
        }
        return known
    }

    /// Adds rows that have just been stored.
    mutating func add(_ rows: [RowIdentity: MessageLocation]) {
        places.merge(rows) { $1 }
        newest = max(newest, rows.values.lazy.map(\.receivedAt).max() ?? newest)
        guard newest - Self.slack > trimmedAt else { return }
        // This happens rarely, because it visits each entry.
        trimmedAt = newest
        let bound = newest - window - Self.slack
        places = places.filter { $0.value.receivedAt >= bound }
    }

    private func isOld(_ event: IncomingEvent, in batch: IncomingBatch) -> Bool {
        guard let own = event.times.originalTimestamp else { return true }
        return own < batch.receivedAt - window
    }
}
