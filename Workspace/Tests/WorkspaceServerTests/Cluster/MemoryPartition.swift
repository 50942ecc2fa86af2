import Synchronization

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// The records of partitions in this process.
actor MemoryLeases: PartitionLeases {
    private var places: [Int: (place: PartitionLease, revision: UInt64)] = [:]
    private var last: UInt64 = 0
    /// Every owner that there was.
    private(set) var owners: [String] = []

    func place(of partition: Int) -> (place: PartitionLease, revision: UInt64)? { places[partition] }

    func set(_ place: PartitionLease, of partition: Int, ifRevision revision: UInt64) -> UInt64? {
        guard places[partition]?.revision ?? 0 == revision else { return nil }
        last += 1
        places[partition] = (place, last)
        if !place.owner.isEmpty, owners.last != place.owner { owners.append(place.owner) }
        return last
    }
}

/// The store of partitions in this process. It recognises a repeated block, and merges rows as ClickHouse does.
actor MemoryRows: PartitionStore {
    struct Row: Equatable {
        let number: Int64
        let name: String?
        let body: [UInt8]
    }

    private var blocks: Set<[Int64]> = []
    private(set) var rows: [RowIdentity: Row] = [:]
    /// Blocks that were inserted and not known.
    private(set) var inserts = 0
    private(set) var repeated = 0
    /// Numbers that two different rows had.
    private(set) var sharedNumbers = 0
    private var identities: [Int64: RowIdentity] = [:]
    private var holds = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var changes: [CheckedContinuation<Void, Never>] = []

    /// From now on an insert stores the block and does not return, as when the owner is killed then.
    func hold() { holds = true }

    func letGo() {
        holds = false
        for one in held { one.resume() }
        held = []
    }

    func append(_ block: EventBlock) async {
        let mark = block.rows.flatMap { [$0.number, Int64(Self.text($0).hashValue)] }
        if blocks.insert(mark).inserted { inserts += 1 } else { repeated += 1 }
        for row in block.rows { take(row) }
        for change in changes { change.resume() }
        changes = []
        guard holds else { return }
        await withCheckedContinuation { held.append($0) }
    }

    private func take(_ row: EventBlock.Row) {
        if let other = identities[row.number], other != row.identity { sharedNumbers += 1 }
        identities[row.number] = row.identity
        guard rows[row.identity].map({ $0.number >= row.number }) ?? true else { return }
        var name: String?
        if case .event(let event) = row.content { name = event.name }
        rows[row.identity] = Row(number: row.number, name: name, body: Self.text(row))
    }

    private static func text(_ row: EventBlock.Row) -> [UInt8] {
        switch row.content {
        case .event(let event): event.body
        case .rejected(let event): event.body
        case .signal(let signal): signal.body
        case .trace(let trace, _): trace.body
        }
    }

    /// Waits until there are so many rows.
    func wait(for count: Int) async {
        while rows.count < count { await withCheckedContinuation { changes.append($0) } }
    }

    /// Waits for an event.
    func wait(forEvent name: String) async {
        while !rows.values.contains(where: { $0.name == name }) { await withCheckedContinuation { changes.append($0) } }
    }

    /// Waits until so many blocks came.
    func wait(forBlocks count: Int) async {
        while inserts + repeated < count { await withCheckedContinuation { changes.append($0) } }
    }

    /// The names of the events in the order of their numbers.
    var names: [String] { rows.values.sorted { $0.number < $1.number }.compactMap(\.name) }

    func messages(
        of partition: Int, before number: Int64, newest milliseconds: Int64
    ) -> [RowIdentity: MessageLocation] { [:] }

    func places(
        of identities: [RowIdentity], in partition: Int, before number: Int64, on days: ClosedRange<Day>
    ) -> [RowIdentity: MessageLocation] { [:] }
}
