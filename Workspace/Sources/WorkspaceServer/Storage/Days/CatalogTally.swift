import GRDB

/// Counts the events of one transaction for the catalog of their day.
///
/// It adds up in memory and writes each name once. Events are counted when they are stored, and taken away when they are
/// erased, in the transaction that does so. So the counts are always those of the rows that are there.
struct CatalogTally {
    enum Direction { case adding, removing }

    private struct Place: Hashable {
        let source: Int64
        let name: CountedName
    }

    private let direction: Direction
    private let catalog: DayCatalog
    private var entries: [CatalogEntry] = []
    private var places: [Place: Int] = [:]

    init(_ db: Database, _ direction: Direction) throws {
        self.direction = direction
        catalog = try DayCatalog(db)
    }

    /// Counts an event with its properties; with its traits when it is an identify or a group.
    /// - Parameter scanned: nil when the body is no JSON.
    mutating func count(
        _ name: CountedName, of source: Int64, receivedAt: Int64, _ body: [UInt8], _ scanned: ScannedBody?
    ) throws {
        guard let index = try entry(of: name, source) else { return }
        let members: [ScannedBody.Member]? =
            switch name.type {
            case .track, .page, .screen: scanned?.properties
            case .identify, .group: scanned?.traits
            case .alias: nil
            }
        body.withUnsafeBufferPointer { entries[index].count(hour: receivedAt / Self.hour, members ?? [], in: $0) }
    }

    /// Writes what was counted.
    func write() throws {
        for entry in entries {
            switch direction {
            case .adding: try catalog.add(entry)
            case .removing: try catalog.subtract(entry)
            }
        }
    }

    private static let hour: Int64 = 3_600_000

    /// The entry of a name, or that of the others when it is not counted apart; nil when a name is taken away that was
    /// never counted.
    private mutating func entry(of name: CountedName, _ source: Int64) throws -> Int? {
        let place = Place(source: source, name: name)
        if let index = places[place] { return index }
        let index: Int?
        if let stored = try storedName(name, of: source) {
            entries.append(
                CatalogEntry(
                    id: stored.id, keys: try catalog.keys(of: stored), taken: stored.taken,
                    takesKeys: direction == .adding, countsKeys: name.label != .others))
            index = entries.count - 1
        } else if case .name = name.label {
            index = try entry(of: CountedName(name.type, .others), source)
        } else {
            index = nil
        }
        places[place] = index
        return index
    }

    private func storedName(_ name: CountedName, of source: Int64) throws -> DayCatalog.Name? {
        if let found = try catalog.find(name, of: source) { return found }
        guard direction == .adding else { return nil }
        return try catalog.take(name, of: source)
    }
}
