package import Foundation

/// Stores and finds events, dead letters, traces and signals.
///
/// The indexer hands over blocks of rows, and moves its watermark only when a block is confirmed. The index of message
/// ids has already decided which rows are repeats, so a storage need not search for them. It must accept the same block
/// again, or the same rows in blocks of other sizes: that happens after a crash between the storage's confirmation and
/// the watermark.
///
/// Methods may be called from any task; `append` is called by one at a time.
package protocol EventStorage: Sendable {
    /// Whether days are files of the workspace's folder, whose database then records which days were made and deleted.
    var hasDayFiles: Bool { get }

    /// Finds the events of people by their columns; nil for a storage that cannot.
    var people: (any PeopleStorage)? { get }

    /// For a storage that several nodes write: rows up to this number are stored, and no row that is stored later has a
    /// lower one. Nil for a storage with one writer, whose workspace knows the last number itself.
    func confirmed() async -> Int64?

    /// The highest numbers that any row has, those of blocks that were never confirmed included.
    func highest() async throws -> RowNumbers

    /// Stores the rows of a block; when it returns they survive the power going out.
    ///
    /// A row that is there already, by `EventBlock.Row.identity` within its day, stays as it is and keeps its number; a
    /// trace replaces the earlier trace. An event that is given again has the time of arrival that it had. After an
    /// error any part of the block may be there.
    func append(_ block: EventBlock) async throws

    /// The next rows of a list, in the order of the query, at most as many as it says.
    func rows(_ query: RowQuery) async throws -> [StoredRow]

    /// How many rows have to be looked at for all that a query asks for, at most. Reads no rows.
    func most(_ query: RowQuery) async throws -> Int

    /// The event of that id that arrived at that time, if it is there.
    func event(_ messageId: String, source: Int64, receivedAt: Int64, writeKey: String) async throws -> StoredRow?

    /// Where the events of a message id are, by their sources; nil when the storage does not know, because the index of
    /// messages beside it does.
    func places(of messageId: String, sources: Set<Int64>) async throws -> [Int64: MessageLocation]?

    /// The trace of that id, if it is in that day.
    func trace(_ messageId: String, source: Int64, day: Day) async throws -> IncomingTrace?

    /// False when there is no trace at all, which spares looking for those of events.
    func mayHaveTraces() async -> Bool

    /// Counts of a source; of all sources when nil.
    func figures(source: Int64?) async throws -> StorageFigures

    /// The events of a source that came after that number, of which at most so many are counted.
    func backlog(of source: Int64, after number: Int64, atMost limit: Int) async throws -> EventBacklog

    /// How many events of a source came, by their name and the day of their arrival.
    ///
    /// The counts are those of the events that are there: they change with them, and a repeated block, an erasure or a
    /// crash leaves them right. A day has `Limits.countedNames` places: for planned names first, then for frequent
    /// ones. Events of the other names are counted as `CountedName.Label.others`.
    /// - Parameters:
    ///   - plan: used by a storage that counts when it is asked. One that counts at each event knows the plan.
    ///   - byHour: whether each hour of a day has a count of its own.
    func nameCounts(
        of source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan, byHour: Bool
    ) async throws -> [NameCount]

    /// The properties of the events of some names, counted in the same way; of an identify and a group the traits. Only the
    /// first level counts, and of a key that an event repeats the first value.
    func properties(
        of names: [CountedName], source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan
    ) async throws -> [CountedName: CountedProperties]

    /// The days that hold something, oldest first.
    func days() async throws -> [Day]

    /// Prepares days that ended for searches. Called again from time to time; a search does not depend on it.
    func summarize() async

    /// Deletes a day as a whole.
    func remove(_ day: Day) async throws

    /// Deletes everything of a source, in steps. When it is cancelled or fails, some are done; asked again, it does the
    /// others.
    /// - Parameters:
    ///   - overwriting: whether the bytes have to be overwritten in the files too, which takes longer.
    ///   - progress: called after each step.
    /// - Returns: how many events there were.
    func removeAll(
        of source: Int64, overwriting: Bool, _ progress: @escaping @Sendable (ErasureProgress) -> Void
    ) async throws -> Int

    /// Erases a user's rows, day by day, so that their bytes are gone as well. When it is cancelled or fails, some days are
    /// done; asked again, it does the others.
    /// - Parameter progress: called after each day.
    func erase(_ person: Person, _ progress: @escaping @Sendable (ErasureProgress) -> Void) async throws

    /// Calls back with the identities of all rows of a day, for rebuilding an index.
    func identities(of day: Day) async throws -> [RowIdentity]

    func close() throws
}

/// The numbers of rows: one count for what the event stream shows, and one for dead letters.
package struct RowNumbers: Sendable, Equatable {
    package var stream: Int64 = 0
    package var rejected: Int64 = 0

    package init(stream: Int64 = 0, rejected: Int64 = 0) { (self.stream, self.rejected) = (stream, rejected) }

    /// The higher of each.
    package static func max(_ left: RowNumbers, _ right: RowNumbers) -> RowNumbers {
        RowNumbers(
            stream: Swift.max(left.stream, right.stream), rejected: Swift.max(left.rejected, right.rejected))
    }
}

/// The counts of a storage.
package struct StorageFigures: Sendable, Equatable {
    /// Events by their types, and rejected ones; nil when the counters beside the storage say so.
    package var counted: Counted?
    /// Events that were dropped on a device, as far as traces tell.
    var tracedDrops: Int64 = 0
    /// Milliseconds from the call to the database of the newest traced events, in no order.
    var latencies: [Int64] = []

    package init(counted: Counted? = nil, tracedDrops: Int64 = 0, latencies: [Int64] = []) {
        (self.counted, self.tracedDrops, self.latencies) = (counted, tracedDrops, latencies)
    }

    package struct Counted: Sendable, Equatable {
        package var byType: [String: Int64] = [:]
        package var rejected: Int64 = 0

        package init(byType: [String: Int64] = [:], rejected: Int64 = 0) {
            (self.byType, self.rejected) = (byType, rejected)
        }
    }
}

/// Events that wait for something.
package struct EventBacklog: Sendable, Equatable {
    package var count = 0
    /// When the first of them came.
    package var oldest: Int64?

    package init(count: Int = 0, oldest: Int64? = nil) { (self.count, self.oldest) = (count, oldest) }
}

/// How far an erasure, or the removal of a source, has come.
package struct ErasureProgress: Sendable, Equatable {
    package var days = 0
    package var daysDone = 0
    package var erased = Erased()
    /// The digests of the user's devices.
    package var devices: Set<Data> = []

    package init(days: Int = 0, daysDone: Int = 0, erased: Erased = Erased(), devices: Set<Data> = []) {
        (self.days, self.daysDone, self.erased, self.devices) = (days, daysDone, erased, devices)
    }
}

/// The result of an erasure.
package struct Erased: Sendable, Equatable {
    package var events = 0
    package var rejected = 0
    package var traces = 0
    package var signals = 0
    /// Saved questions that asked for the user, and were removed.
    package var removedViews: [String] = []
    /// Saved questions with the id in another place, which are left to the operator.
    package var namingViews: [String] = []

    package static func + (left: Erased, right: Erased) -> Erased {
        Erased(
            events: left.events + right.events, rejected: left.rejected + right.rejected,
            traces: left.traces + right.traces, signals: left.signals + right.signals,
            removedViews: left.removedViews + right.removedViews, namingViews: left.namingViews + right.namingViews)
    }
}

extension EventStorage {
    /// The counts of whole days.
    package func nameCounts(
        of source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan
    ) async throws -> [NameCount] {
        try await nameCounts(of: source, on: days, plan: plan, byHour: false)
    }
}
