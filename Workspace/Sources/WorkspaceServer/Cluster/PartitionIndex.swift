/// The newest messages of a partition, so that what a client repeats is stored once.
///
/// Whether an event is a repetition depends only on the log: every owner has to decide the same, because it has to make the
/// same block. An event is one when a row with its identity is in front of it, and
///
/// - arrived no more than the window earlier, or
/// - the event's own time lies further back than the window, or is not known. Such an event is looked up in the store.
///
/// A client repeats what it made a moment ago, or what it kept for long, and then the event's own time says so.
struct PartitionIndex: Sendable {
    private var places: [RowIdentity: MessagePlace]
    /// Milliseconds.
    private let window: Int64
    private var newest: Int64 = 0
    private var trimmedAt: Int64 = 0

    /// How far the clocks of nodes may differ, and how late a record may come into the log, beyond the window;
    /// milliseconds. The index holds what arrived in that time, too, and a new owner reads it from the store.
    static let slack: Int64 = 120_000

    init(_ places: [RowIdentity: MessagePlace], window: Int64) {
        (self.places, self.window) = (places, window)
    }

    /// The events of a batch that have to be looked up in the store.
    func old(in batch: IncomingBatch) -> [RowIdentity] {
        batch.events.filter { isOld($0, in: batch) }.map { $0.identity(in: batch.source) }
    }

    /// The earliest time that an event of those can have arrived before.
    func earliest(in batch: IncomingBatch) -> Int64 {
        let remembered = batch.receivedAt - Limits.rememberedDays * Day.milliseconds
        let own = batch.events.compactMap { isOld($0, in: batch) ? $0.times.originalTimestamp : nil }
        // The clock of the device may be wrong, so a day more is looked at.
        return max(remembered, min(batch.receivedAt, own.min() ?? remembered) - Day.milliseconds)
    }

    /// What is known of the rows of a batch.
    /// - Parameter others: rows that the index does not have: those of records in front in the same block, and those that were
    ///   looked up in the store.
    func known(
        _ identities: Set<RowIdentity>, of batch: IncomingBatch, besides others: [[RowIdentity: MessagePlace]]
    ) -> [RowIdentity: MessagePlace] {
        let old = Set(old(in: batch))
        var known: [RowIdentity: MessagePlace] = [:]
        for identity in identities {
            guard let place = others.lazy.compactMap({ $0[identity] }).first ?? places[identity] else { continue }
            let isNear = abs(batch.receivedAt - place.receivedAt) <= window
            if isNear || old.contains(identity) { known[identity] = place }
        }
        return known
    }

    /// Adds rows that are stored now.
    mutating func add(_ rows: [RowIdentity: MessagePlace]) {
        places.merge(rows) { $1 }
        newest = max(newest, rows.values.lazy.map(\.receivedAt).max() ?? newest)
        guard newest - Self.slack > trimmedAt else { return }
        // Rarely, because each entry is looked at.
        trimmedAt = newest
        let bound = newest - window - Self.slack
        places = places.filter { $0.value.receivedAt >= bound }
    }

    private func isOld(_ event: IncomingEvent, in batch: IncomingBatch) -> Bool {
        guard let own = event.times.originalTimestamp else { return true }
        return own < batch.receivedAt - window
    }
}
