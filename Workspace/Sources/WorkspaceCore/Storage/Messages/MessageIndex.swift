package import Foundation
package import GRDB
package import Synchronization

/// Which messages are stored already, over all days. The indexer recognises repeated messages by this index.
///
/// The newest messages are in memory and, in the transaction that stores them, in the database of the workspace
/// (`recentMessages`). When there are many, they move into sorted files, one or more for each day (`MessageFile`); the
/// database names the files (`messageFile`), and a file that it does not name is no part of the index. Small files are
/// merged in the background. So a message costs the same however many there are, and a day is forgotten by deleting its
/// files.
///
/// May be used from any thread; `add` and `moveToFiles` are called by one at a time.
package final class MessageIndex: Sendable {
    package struct State {
        var recent: [MessageIdentity: MessageLocation] = [:]
        /// Newest day first.
        package var files: [MessageFile] = []
        /// Entries of a source are forgotten in files up to this number.
        var forgotten: [Int64: Int64] = [:]
        var nextNumber: Int64 = 1
        package var isClosed = false

        package init(
            recent: [MessageIdentity: MessageLocation] = [:], files: [MessageFile] = [],
            forgotten: [Int64: Int64] = [:], nextNumber: Int64 = 1, isClosed: Bool = false
        ) {
            (self.recent, self.files, self.forgotten) = (recent, files, forgotten)
            (self.nextNumber, self.isClosed) = (nextNumber, isClosed)
        }

        func isForgotten(_ entry: MessageEntry, in file: MessageFile) -> Bool {
            forgotten[entry.source].map { file.number <= $0 } ?? false
        }
    }

    package let folder: String
    package let state: Mutex<State>
    /// Where the newest messages are written to files.
    let moving = DispatchQueue(label: "tributary.messages.moving")
    /// Where files are merged.
    package let merging = DispatchQueue(label: "tributary.messages", qos: .utility)

    /// Reads the index as a database names it. Changes nothing.
    /// - Parameter folder: the folder of the files.
    /// - Throws: `MessageFile.Damage` when a file is missing or damaged.
    package init(_ db: Database, folder: String) throws {
        self.folder = folder
        var state = State()
        state.recent = try Self.recent(db)
        state.forgotten = try Self.forgotten(db)
        let named = try Self.files(db)
        state.nextNumber = (named.map(\.number) + state.forgotten.values).max().map { $0 + 1 } ?? 1
        state.files = try named.sorted { $0.day > $1.day }.map { try MessageFile($0.number, in: folder) }
        state.keepLimits()
        self.state = Mutex(state)
    }

    // MARK: Questions

    /// The places of the rows with these identities; an identity without a row has no place.
    package func places(of identities: Set<RowIdentity>) throws -> [RowIdentity: MessageLocation] {
        var places: [RowIdentity: MessageLocation] = [:]
        let (files, forgotten) = state.withLock { state in
            for identity in identities {
                if let place = state.recent[MessageIdentity(identity)] { places[identity] = place }
            }
            return (state.files, state.forgotten)
        }
        let keys = identities.filter { places[$0] == nil }.map(\.key)
        for file in files {
            try file.find(keys) { entry in
                // The key says the kind, too.
                let identity = RowIdentity(kind: .event, source: entry.source, key: entry.key)
                guard forgotten[entry.source].map({ file.number > $0 }) ?? true, identities.contains(identity),
                    places[identity] == nil
                else { return }
                places[identity] = MessageLocation(day: file.day, receivedAt: entry.receivedAt)
            }
        }
        return places
    }

    /// Where the events of that message id are, by their sources.
    package func events(_ messageId: String, of sources: some Sequence<Int64>) throws -> [Int64: MessageLocation] {
        let identities = sources.map { RowIdentity(kind: .event, source: $0, id: messageId) }
        let places = try places(of: Set(identities))
        return Dictionary(places.map { ($0.key.source, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The days that it has messages of.
    package var days: Set<Day> {
        state.withLock { state in
            state.recent.values.reduce(into: Set(state.files.map(\.day))) { $0.insert($1.day) }
        }
    }

    /// Whether there are messages of that day.
    func hasMessages(of day: Day) -> Bool {
        state.withLock { state in
            state.files.contains { $0.day == day } || state.recent.values.contains { $0.day == day }
        }
    }

    /// The rows of these identities that the index has in that day.
    package func known(_ identities: [RowIdentity], in day: Day) throws -> Set<RowIdentity> {
        var known: Set<RowIdentity> = []
        let byKey = Dictionary(grouping: identities, by: \.key)
        let (files, forgotten) = state.withLock { state in
            for identity in identities where state.recent[MessageIdentity(identity)]?.day == day {
                known.insert(identity)
            }
            return (state.files.filter { $0.day == day }, state.forgotten)
        }
        for file in files {
            try file.find(Array(byKey.keys)) { entry in
                guard forgotten[entry.source].map({ file.number > $0 }) ?? true else { return }
                byKey[entry.key]?.filter { $0.source == entry.source }.forEach { known.insert($0) }
            }
        }
        return known
    }

    /// About how many messages each day has, without a look into the files: those of removed sources count, too.
    package var sizes: [Day: Int] {
        state.withLock { state in
            var sizes: [Day: Int] = [:]
            for place in state.recent.values { sizes[place.day, default: 0] += 1 }
            for file in state.files { sizes[file.day, default: 0] += file.count }
            return sizes
        }
    }

    /// How many rows the index has in each day. Reads all files.
    /// - Throws: `MessageFile.Damage`.
    package func counts() throws -> [Day: Int] {
        let state = state.withLock { $0 }
        var counts: [Day: Int] = [:]
        for place in state.recent.values { counts[place.day, default: 0] += 1 }
        for file in state.files {
            var count = 0
            try file.forEachEntry { if !state.isForgotten($0, in: file) { count += 1 } }
            counts[file.day, default: 0] += count
        }
        return counts
    }

    // MARK: Changes

    /// Notes rows in the database, in the transaction that confirms them; `add` follows when it is committed.
    package static func note(_ rows: [MessageRow], _ db: Database) throws {
        let statement = try BoundStatement(
            db, sql: "INSERT INTO recentMessages (day, source, entries) VALUES (?, ?, ?)")
        for (group, rows) in Dictionary(grouping: rows, by: { MessageGroup(day: $0.place.day, source: $0.source) }) {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(rows.count * MessageEntry.byteCount)
            for row in rows { row.entry.append(to: &bytes) }
            try statement.bind(group.day.number, at: 1)
            try statement.bind(group.source, at: 2)
            try bytes.withUnsafeBytes { try statement.bind($0, at: 3) }
            try statement.run()
        }
    }

    /// Takes up rows that were noted.
    package func add(_ rows: [MessageRow]) {
        state.withLock { state in
            for row in rows { state.recent[MessageIdentity(key: row.key, source: row.source)] = row.place }
        }
    }

    /// Forgets the messages of days before one.
    package func forget(before day: Day, in pool: DatabasePool) async throws {
        try await pool.write { db in
            try db.execute(sql: "DELETE FROM recentMessages WHERE day < ?", arguments: [day.number])
            // Days of a calendar of four digits are in the order of their texts.
            try db.execute(sql: "DELETE FROM messageFile WHERE day < ?", arguments: [day.description])
        }
        let removed = state.withLock { state in
            state.recent = state.recent.filter { $0.value.day >= day }
            let removed = state.files.filter { $0.day < day }
            state.files.removeAll { $0.day < day }
            return removed
        }
        for file in removed { delete(file) }
    }

    /// Forgets the messages of a source, in a transaction; `forget(_:)` follows when it is committed. Its entries in files
    /// go when the files are merged.
    package func noteForgotten(_ source: Int64, _ db: Database) throws {
        let last = state.withLock { $0.nextNumber - 1 }
        try db.execute(sql: "DELETE FROM recentMessages WHERE source = ?", arguments: [source])
        try db.execute(
            sql: "INSERT OR REPLACE INTO forgottenMessages (source, through) VALUES (?, ?)", arguments: [source, last])
    }

    package func forget(_ source: Int64, in pool: DatabasePool) async throws {
        let forgotten = try await pool.read(Self.forgotten)
        state.withLock { state in
            state.recent = state.recent.filter { $0.key.source != source }
            state.forgotten = forgotten
        }
    }

    /// Deletes what a crash left in the folder: files that the database does not name.
    func tidy() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let known = state.withLock { state in Set(state.files.map { "\($0.number).ids" }) }
        for name in names where !known.contains(name) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// A file that a question still reads stays readable until it has its answer.
    package func delete(_ file: MessageFile) {
        // The next start deletes a file that stays.
        unlink(file.path)
    }

    // MARK: Reading the database

    private static func recent(_ db: Database) throws -> [MessageIdentity: MessageLocation] {
        var recent: [MessageIdentity: MessageLocation] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT day, entries FROM recentMessages ORDER BY id")
        while let row = try rows.next() {
            let day = Day(number: try row.decode(Int64.self, atIndex: 0))
            try row.withUnsafeData(atIndex: 1) { data in
                data?.withUnsafeBytes { bytes in
                    for offset in stride(
                        from: 0, through: bytes.count - MessageEntry.byteCount, by: MessageEntry.byteCount)
                    {
                        let entry = MessageEntry(bytes, at: offset)
                        recent[MessageIdentity(key: entry.key, source: entry.source)] = MessageLocation(
                            day: day, receivedAt: entry.receivedAt)
                    }
                }
            }
        }
        return recent
    }

    /// The files that a database names.
    package static func files(_ db: Database) throws -> [MessageMerge.File] {
        try Row.fetchAll(db, sql: "SELECT number, day, count FROM messageFile").map { row in
            let text = try row.decode(String.self, atIndex: 1)
            guard let day = Day(text) else { throw MessageFile.Damage(description: "a file of the day \(text)") }
            return MessageMerge.File(
                number: try row.decode(Int64.self, atIndex: 0), day: day, count: try row.decode(Int.self, atIndex: 2))
        }
    }

    private static func forgotten(_ db: Database) throws -> [Int64: Int64] {
        let rows = try Row.fetchAll(db, sql: "SELECT source, through FROM forgottenMessages")
        return Dictionary(
            try rows.map { (try $0.decode(Int64.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1)) },
            uniquingKeysWith: { max($0, $1) })
    }
}

private struct MessageGroup: Hashable {
    let day: Day
    let source: Int64
}
