import Foundation
package import GRDB

/// Counts the events of one transaction for the catalog of their day.
///
/// It adds up in memory and writes each name once. Events are counted when they are stored, and taken away when they are
/// erased, in the transaction that does so. So the counts are always those of the rows that are there.
package struct CatalogTally {
    package enum Direction { case adding, removing }

    private struct Place: Hashable {
        let source: Int64
        let name: CountedName
    }

    /// Where the events of a name are counted.
    private struct Counting {
        /// Nil when a name is taken away that was never counted.
        let entry: Int?
        /// Events of a name that has no place of its own, while they are added.
        var strangers: Int?
    }

    private let db: Database
    private let direction: Direction
    private let catalog: DayCatalog
    private let known: (Int64) throws -> KnownNames
    private var knownNames: [Int64: KnownNames] = [:]
    private var entries: [(source: Int64, counts: CatalogEntry)] = []
    private var places: [Place: Counting] = [:]

    /// - Parameter known: the names of a source that have their places in any case.
    package init(
        _ db: Database, _ direction: Direction, known: @escaping (Int64) throws -> KnownNames = { _ in .none }
    ) throws {
        (self.db, self.direction, self.known) = (db, direction, known)
        catalog = try DayCatalog(db)
    }

    /// Counts an event with its properties; with its traits when it is an identify or a group.
    /// - Parameter scanned: nil when the body is no JSON.
    package mutating func count(
        _ name: CountedName, of source: Int64, receivedAt: Int64, _ body: [UInt8], _ scanned: ScannedBody?
    ) throws {
        let place = Place(source: source, name: name)
        let counting = try places[place] ?? self.counting(of: place)
        guard let index = counting.entry else { return }
        if let strangers = counting.strangers {
            places[place] = Counting(entry: index, strangers: strangers + 1)
        }
        entries[index].counts.count(name.type, receivedAt: receivedAt, body, scanned)
    }

    /// Writes the counts.
    package mutating func write() throws {
        for entry in entries {
            switch direction {
            case .adding: try catalog.add(entry.counts)
            case .removing: try catalog.subtract(entry.counts, of: entry.source)
            }
        }
        try settle()
    }

    /// Names without a place may get one now that all is counted.
    private mutating func settle() throws {
        var strangers: [Int64: [CountedName: Int]] = [:]
        for (place, counting) in places {
            if let count = counting.strangers { strangers[place.source, default: [:]][place.name] = count }
        }
        for (source, names) in strangers {
            var places = try CatalogSlots(db, catalog, source: source, known: try knownNames(of: source))
            try places.settle(names)
        }
    }

    /// Counts a name by its own entry, or by that of the others when it is not counted apart.
    private mutating func counting(of place: Place) throws -> Counting {
        let counting: Counting
        if let stored = try storedName(place.name, of: place.source) {
            let entry = CatalogEntry(
                id: stored.id, keys: try catalog.keys(of: stored), taken: stored.taken,
                takesKeys: direction == .adding, countsKeys: place.name.label != .others)
            entries.append((place.source, entry))
            counting = Counting(entry: entries.count - 1, strangers: nil)
        } else if case .name = place.name.label {
            let others = Place(source: place.source, name: CountedName(place.name.type, .others))
            let entry = try (places[others] ?? self.counting(of: others)).entry
            counting = Counting(entry: entry, strangers: direction == .adding ? 0 : nil)
        } else {
            counting = Counting(entry: nil, strangers: nil)
        }
        places[place] = counting
        return counting
    }

    private mutating func storedName(_ name: CountedName, of source: Int64) throws -> DayCatalog.Name? {
        if let found = try catalog.find(name, of: source) { return found }
        guard direction == .adding, try catalog.hasRoom(for: name, of: source) else { return nil }
        return try catalog.make(name, of: source, keys: try knownNames(of: source).keys[name] ?? [])
    }

    private mutating func knownNames(of source: Int64) throws -> KnownNames {
        if let names = knownNames[source] { return names }
        let names = try known(source)
        knownNames[source] = names
        return names
    }
}

extension CatalogTally {
    /// Takes events away from the catalog, before they are deleted. Numbers that no event has are passed over.
    static func subtract(_ numbers: [Int64], _ db: Database) throws {
        let list = numbers.map(String.init).joined(separator: ",")
        var tally = try CatalogTally(db, .removing)
        let rows = try Row.fetchCursor(db, sql: "\(selection) WHERE sequence IN (\(list))")
        while let row = try rows.next() { try tally.count(row) }
        try tally.write()
    }

    /// Makes the counts of all events, for rows that came into the database by another way.
    package static func rebuild(_ db: Database) throws {
        // The known names are not used: the catalog of a saved day takes the most frequent names.
        for table in DaySchema.catalogTables { try db.execute(sql: "DELETE FROM \(table)") }
        var tally = try CatalogTally(db, .adding)
        let rows = try Row.fetchCursor(db, sql: "\(selection) ORDER BY sequence")
        while let row = try rows.next() { try tally.count(row) }
        try tally.write()
    }

    private static let selection =
        "SELECT source, type, \(WholeText.columns(["name"], of: "event")), receivedAt, body FROM event"

    private mutating func count(_ row: Row) throws {
        guard let type = EventType(rawValue: try row.decode(String.self, forColumn: "type")) else { return }
        let body = [UInt8](try row.decode(Data.self, forColumn: "body"))
        try count(
            CountedName(type, name: try row.wholeText("name")), of: try row.decode(Int64.self, forColumn: "source"),
            receivedAt: try row.decode(Int64.self, forColumn: "receivedAt"), body, try? ScannedBody.of(body))
    }
}
