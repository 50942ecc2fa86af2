import Foundation
import GRDB
import TributaryJournal
import WorkspaceCore
import WorkspaceServer

/// Moves the rows of one machine into the store of a cluster that has no node yet, and makes the folder of its
/// settings.
///
/// Rows keep their order, their times of arrival and of storing, and their sources. They go into the store day by day,
/// in blocks that are the same each time. The store itself says how far an earlier attempt came, so an import may be
/// ended at any moment and run again.
package struct ClusterImport {
    /// The number of rows of each kind.
    package struct Counts: Sendable, Equatable {
        package var events = 0
        package var rejected = 0
        package var traces = 0
        package var signals = 0

        package var all: Int { events + rejected + traces + signals }
    }

    package struct Summary: Sendable, Equatable {
        /// The rows that the folder has. The store has the same now.
        package let counts: Counts
        /// Rows that this run moved; the others were there already.
        package let moved: Int
        package let days: Int
    }

    private let store: Store
    /// The events of `store`.
    private let days: SQLiteDays
    private let storage: ClickHouseStorage
    private let partitions: Int

    /// Rows that go into the store at once.
    static let rowsInBlock = 4_000

    /// Moves all rows and makes the folder.
    /// - Parameters:
    ///   - folder: the data folder of a workspace that does not run.
    ///   - partitions: the number of partitions of the cluster. Devices are assigned to them.
    ///   - founder: the folder to make for the first node. It must be missing or empty.
    ///   - progress: called after each block with the rows that are done and all rows.
    /// - Throws: `WorkspaceError` when the folder cannot be moved, `ClickHouseError` when the store cannot be used.
    package static func run(
        from folder: String, to settings: ClickHouseSettings, partitions: Int, founder: String,
        progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws -> Summary {
        let making = try AtomicFolder(founder)
        let (store, days) = try open(folder)
        let result: Result<Summary, any Error>
        do {
            let storage = try await ClickHouseStorage(settings)
            let moving = ClusterImport(store: store, days: days, storage: storage, partitions: partitions)
            let summary = try await moving.move(progress)
            let places = try await moving.waitingPlaces()
            try making.make { try FoundingFolder(path: $0).fill(from: store, places) }
            result = .success(summary)
        } catch {
            result = .failure(error)
        }
        try store.close()
        return try result.get()
    }

    // MARK: The folder

    private static func open(_ path: String) throws -> (Store, SQLiteDays) {
        let contents = FolderContents(of: URL(fileURLWithPath: path).standardizedFileURL.path)
        guard contents.hasDatabase else {
            throw WorkspaceError(.dataFolder, "\(path) is no data folder: it has no workspace.sqlite")
        }
        guard contents.unreadable.isEmpty else {
            throw WorkspaceError(
                .dataFolder,
                "\(path)/unreadable has \(contents.unreadable.count) files that would be left behind; "
                    + "`tributary doctor --repair \(path)` saves what can be read, and then move that folder away")
        }
        let databases = try StoreDatabases(folder: DataFolder(path: path))
        let days = try databases.days()
        let store = Store(databases, storage: days, settings: try databases.localSettings())
        do {
            try checkComplete(store)
            return (store, days)
        } catch {
            try store.close()
            throw error
        }
    }

    /// Refuses a folder with data that the import would leave behind.
    private static func checkComplete(_ store: Store) throws {
        guard try store.pool.read(AppliedChange.read) == nil else {
            throw WorkspaceError(.cluster, "\(store.folder.path) is the folder of a cluster's node; it has no events")
        }
        guard FileManager.default.fileExists(atPath: store.folder.journalPath) else { return }
        let journal = try IngestJournal(folder: store.folder, capacity: 1 << 30)
        defer { journal.close() }
        let place = try store.indexed()
        let waiting = journal.waitingCount(after: place?.epoch == journal.journal.epoch ? place?.sequence ?? 0 : 0)
        guard waiting == 0 else {
            throw WorkspaceError(
                .dataFolder,
                "\(waiting) requests wait in the journal of \(store.folder.path); start its workspace once more, wait "
                    + "until `tributary events` answers, and end it")
        }
    }

    // MARK: Rows

    private func move(_ progress: (_ done: Int, _ all: Int) -> Void) async throws -> Summary {
        try await checkStore()
        let counts = try await counts()
        var (done, moved) = (0, 0)
        for day in days.days() {
            let known = try await known(day)
            for kind in RowIdentity.Kind.allCases {
                let last = known[kind] ?? 0
                done += try await days.read(day) { try MovedRows.count(kind, through: last, $0) } ?? 0
                try await move(kind, of: day, after: last) { count in
                    done += count
                    moved += count
                    progress(done, counts.all)
                }
            }
        }
        let stored = try await storage.movedCounts()
        guard stored == counts else {
            throw WorkspaceError(
                .cluster,
                "the store has \(stored.text) and \(store.folder.path) has \(counts.text): nothing was founded")
        }
        return Summary(counts: counts, moved: moved, days: days.days().count)
    }

    /// - Parameter moved: called after each block with its rows.
    private func move(
        _ kind: RowIdentity.Kind, of day: Day, after sequence: Int64, _ moved: (Int) -> Void
    ) async throws {
        let rows = MovedRows(day: day, partitions: partitions)
        var last = sequence
        while true {
            let next = try await days.read(day) { [last] in
                try rows.next(kind, after: last, atMost: Self.rowsInBlock, $0)
            }
            guard let next, let newest = next.last else { return }
            try await storage.insert(next.map { ClickHouseRow($0.row, storedAt: $0.storedAt) })
            last = newest.sequence
            moved(next.count)
        }
    }

    /// Rows of a cluster that already runs would have higher numbers than the moved rows. So readers that have seen
    /// them would miss the moved rows.
    private func checkStore() async throws {
        let highest = days.highest()
        let last = MovedNumber.last(through: max(highest.stream, highest.rejected))
        if try await storage.highest().beyond(last) { throw otherRows }
    }

    /// The last row of each kind that an earlier attempt has moved.
    /// - Throws: `WorkspaceError` when such a row is not in the folder, or has another number.
    private func known(_ day: Day) async throws -> [RowIdentity.Kind: Int64] {
        let rows = MovedRows(day: day, partitions: partitions)
        var known: [RowIdentity.Kind: Int64] = [:]
        for (identity, number) in try await storage.lastRows(of: day) {
            let sequence = MovedNumber.sequence(number)
            let own = try await days.read(day) {
                try rows.next(identity.kind, after: sequence - 1, atMost: 1, $0).first?.row
            }
            guard let own = own ?? nil, own.identity == identity, own.number == number else { throw otherRows }
            known[identity.kind] = sequence
        }
        return known
    }

    private var otherRows: WorkspaceError {
        WorkspaceError(
            .cluster,
            "the store has events that are not of \(store.folder.path), or were moved for another number of "
                + "partitions. Events are moved before the first node starts: name another database in --store")
    }

    private func counts() async throws -> Counts {
        var counts = Counts()
        for day in days.days() {
            for kind in RowIdentity.Kind.allCases {
                counts.add(try await days.read(day) { try MovedRows.count(kind, $0) } ?? 0, of: kind)
            }
        }
        return counts
    }

    /// The numbers in the cluster of events that wait for a destination, by their numbers on one machine.
    private func waitingPlaces() async throws -> [Int64: Int64] {
        let waiting = try await store.pool.read { db in
            try Int64.fetchAll(db, sql: "SELECT DISTINCT sequence FROM undelivered ORDER BY sequence")
        }
        var places: [Int64: Int64] = [:]
        guard !waiting.isEmpty else { return places }
        for day in days.days() {
            let rows = MovedRows(day: day, partitions: partitions)
            let found = try await days.read(day) { db in
                try waiting.compactMap { try rows.next(.event, after: $0 - 1, atMost: 1, db).first }
            }
            for row in found ?? [] where waiting.contains(row.sequence) { places[row.sequence] = row.row.number }
        }
        return places
    }
}

extension ClusterImport.Counts {
    mutating func add(_ count: Int, of kind: RowIdentity.Kind) {
        switch kind {
        case .event: events += count
        case .rejected: rejected += count
        case .trace: traces += count
        case .signal: signals += count
        }
    }

    /// The counts for people.
    package var text: String {
        "\(events) events, \(rejected) rejected events, \(traces) traces and \(signals) signals"
    }
}

extension RowNumbers {
    /// Whether a row has a higher number.
    fileprivate func beyond(_ number: Int64) -> Bool { Swift.max(stream, rejected) > number }
}
