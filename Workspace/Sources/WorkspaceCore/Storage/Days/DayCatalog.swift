package import GRDB

/// The catalog of a day in its database: counts by name and hour, and by name and property.
///
/// Belongs to one access to the database.
package struct DayCatalog {
    /// A name that is counted apart.
    package struct Name {
        package let id: Int64
        /// How many of its keys were ever counted apart.
        package let taken: Int

        package init(id: Int64, taken: Int) { (self.id, self.taken) = (id, taken) }
    }

    private let db: Database
    private let finding: BoundStatement
    private let listing: BoundStatement
    private let writingHours: BoundStatement
    private let writingKeys: BoundStatement

    package init(_ db: Database) throws {
        self.db = db
        finding = try BoundStatement(
            db, sql: "SELECT id, taken FROM catalogName WHERE source = ? AND type = ? AND isOther = ? AND name = ?")
        listing = try BoundStatement(db, sql: "SELECT key FROM catalogKey WHERE nameId = ? AND isOther = 0")
        writingHours = try BoundStatement(
            db,
            sql: """
                INSERT INTO catalogHour (nameId, hour, count) VALUES (?, ?, ?)
                ON CONFLICT (nameId, hour) DO UPDATE SET count = count + excluded.count
                """)
        let names = Self.columns.map(\.name)
        let sums = names.map { "\($0) = \($0) + excluded.\($0)" }
        writingKeys = try BoundStatement(
            db,
            sql: """
                INSERT INTO catalogKey (nameId, isOther, key, \(names.joined(separator: ", ")))
                VALUES (?, ?, ?\(String(repeating: ", ?", count: names.count)))
                ON CONFLICT (nameId, isOther, key) DO UPDATE SET \(sums.joined(separator: ", "))
                """)
    }

    /// The columns of the types of values.
    package static let columns: [(name: String, kind: PropertyKind)] = PropertyKind.allCases.map {
        ("\($0.rawValue)s", $0)
    }

    /// The meaning of the two columns of a name.
    static func isOther(_ label: CountedName.Label) -> Bool { label == .others }

    package static func text(_ label: CountedName.Label) -> [UInt8] {
        if case .name(let bytes) = label { bytes } else { [] }
    }

    package static func label(isOther: Bool, _ text: [UInt8]) -> CountedName.Label {
        if isOther { return .others }
        return text.isEmpty ? .none : .name(text)
    }

    // MARK: Names

    package func find(_ name: CountedName, of source: Int64) throws -> Name? {
        try Self.bind(name, source, to: finding)
        var found: Name?
        try finding.run { row in found = Name(id: row.int64(0), taken: Int(row.int64(1))) }
        return found
    }

    /// Whether a name can be counted apart from its first event on. There is always room for events without a name, and
    /// for the others. While events are among the others, some of them may be of this name: `CatalogSlots` counts those.
    package func hasRoom(for name: CountedName, of source: Int64) throws -> Bool {
        guard case .name = name.label else { return true }
        let sql = "SELECT names FROM catalogSource WHERE source = ?"
        let count = try Int.fetchOne(db, sql: sql, arguments: [source]) ?? 0
        return try count < Limits.countedNames && find(CountedName(name.type, .others), of: source) == nil
    }

    /// Adds a name.
    /// - Parameter keys: property keys that have their places in any case.
    package func make(_ name: CountedName, of source: Int64, keys: Set<[UInt8]> = []) throws -> Name {
        if case .name = name.label {
            try db.execute(
                sql: """
                    INSERT INTO catalogSource (source, names) VALUES (?, 1)
                    ON CONFLICT (source) DO UPDATE SET names = names + 1
                    """,
                arguments: [source])
        }
        let statement = try BoundStatement(
            db, sql: "INSERT INTO catalogName (source, type, isOther, name, taken) VALUES (?, ?, ?, ?, 0)")
        try Self.bind(name, source, to: statement)
        try statement.run()
        let id = db.lastInsertedRowID
        for key in keys { try write(key, KindCounts(), isOther: false, of: id, 1) }
        return Name(id: id, taken: 0)
    }

    /// The keys of a name that are counted apart.
    package func keys(of name: Name) throws -> [[UInt8]] {
        try listing.bind(name.id, at: 1)
        var keys: [[UInt8]] = []
        try listing.run { row in keys.append(Array(row.bytes(0))) }
        return keys
    }

    package static func bind(_ name: CountedName, _ source: Int64, to statement: BoundStatement) throws {
        try statement.bind(source, at: 1)
        try statement.bind(name.type.rawValue, at: 2)
        try statement.bind(isOther(name.label) ? 1 : 0, at: 3)
        try text(name.label).withUnsafeBytes { try statement.bind($0, at: 4) }
    }

    // MARK: Counts

    package func add(_ entry: CatalogEntry) throws {
        try write(entry, sign: 1)
        guard entry.tookKeys else { return }
        try db.execute(sql: "UPDATE catalogName SET taken = ? WHERE id = ?", arguments: [entry.taken, entry.id])
    }

    /// Subtracts counts. A name without events is deleted, and so is a key without values, because it may reveal its
    /// user.
    func subtract(_ entry: CatalogEntry, of source: Int64) throws {
        try write(entry, sign: -1)
        try db.execute(sql: "DELETE FROM catalogHour WHERE nameId = ? AND count <= 0", arguments: [entry.id])
        let total = Self.columns.map(\.name).joined(separator: " + ")
        try db.execute(sql: "DELETE FROM catalogKey WHERE nameId = ? AND \(total) <= 0", arguments: [entry.id])
        let isLeft = "SELECT EXISTS (SELECT 1 FROM catalogHour WHERE nameId = ?)"
        if try Bool.fetchOne(db, sql: isLeft, arguments: [entry.id]) == false { try remove(entry.id, of: source) }
    }

    /// Removes a name with its counts; another one may have its place.
    package func remove(_ id: Int64, of source: Int64) throws {
        let isApart = "(SELECT isOther = 0 AND length(name) > 0 FROM catalogName WHERE id = ?)"
        try db.execute(
            sql: "UPDATE catalogSource SET names = max(0, names - 1) WHERE source = ? AND \(isApart)",
            arguments: [source, id])
        try db.execute(sql: "DELETE FROM catalogName WHERE id = ?", arguments: [id])
        for table in ["catalogHour", "catalogKey"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE nameId = ?", arguments: [id])
        }
    }

    /// Deletes the remaining rows of a source without events.
    package static func forget(_ source: Int64, _ db: Database) throws {
        let sql = """
            DELETE FROM catalogSource WHERE source = ?1 AND NOT EXISTS (SELECT 1 FROM catalogName WHERE source = ?1)
            """
        try db.execute(sql: sql, arguments: [source])
    }

    private func write(_ entry: CatalogEntry, sign: Int64) throws {
        for (hour, count) in entry.hours {
            try writingHours.bind(entry.id, at: 1)
            try writingHours.bind(hour, at: 2)
            try writingHours.bind(sign * count, at: 3)
            try writingHours.run()
        }
        for key in entry.keys where key.counts.total > 0 {
            try write(key.bytes, key.counts, isOther: false, of: entry.id, sign)
        }
        guard entry.otherKeys.total > 0 else { return }
        try write([], entry.otherKeys, isOther: true, of: entry.id, sign)
    }

    private func write(
        _ key: [UInt8], _ counts: KindCounts, isOther: Bool, of id: Int64, _ sign: Int64
    ) throws {
        try writingKeys.bind(id, at: 1)
        try writingKeys.bind(isOther ? 1 : 0, at: 2)
        try key.withUnsafeBytes { try writingKeys.bind($0, at: 3) }
        for (index, column) in Self.columns.enumerated() {
            try writingKeys.bind(sign * counts[column.kind], at: Int32(4 + index))
        }
        try writingKeys.run()
    }
}
