import Foundation
package import GRDB
import Synchronization

/// The names of a source that always have a place in the catalog of a day: the planned names, and the most frequent
/// names of the day before. The planned property keys also have places. Keys of the day before have none, because a
/// place is noted before a key comes, and would outlive an erasure.
package struct KnownNames: Sendable, Equatable {
    package private(set) var names: Set<CountedName> = []
    package private(set) var keys: [CountedName: Set<[UInt8]>] = [:]

    package static let none = KnownNames()

    package init() {}

    /// The planned names and keys.
    package init(_ plan: TrackingPlan) {
        for event in plan.events {
            names.insert(event.name)
            keys[event.name] = Set(
                event.properties.map { Array($0.key.utf8) }.filter { $0.count <= Limits.countedKeyBytes })
        }
    }

    /// The most frequent names of a day.
    package init(_ db: Database, source: Int64) throws {
        let sql = """
            SELECT type, name FROM catalogName JOIN catalogHour ON nameId = id
            WHERE source = ? AND isOther = 0 GROUP BY id ORDER BY sum(count) DESC, id LIMIT ?
            """
        for row in try Row.fetchAll(db, sql: sql, arguments: [source, Limits.knownNames]) {
            guard let type = EventType(rawValue: try row.decode(String.self, atIndex: 0)) else { continue }
            let text = [UInt8](try row.decode(Data.self, atIndex: 1))
            names.insert(CountedName(type, DayCatalog.label(isOther: false, text)))
        }
    }

    package mutating func add(_ more: KnownNames) {
        names.formUnion(more.names)
        keys.merge(more.keys) { $0.union($1) }
    }
}

extension SQLiteDays {
    /// The known names of a source when a day gets new names.
    func knownNames(of source: Int64, before day: Day) throws -> KnownNames {
        var known = KnownNames(try plan(source))
        known.add(try earlierNames(of: source, before: day))
        return known
    }

    private func earlierNames(of source: Int64, before day: Day) throws -> KnownNames {
        let days = files.extents.filter { $0.key < day && $0.value.sources[source] != nil }.keys
        guard let earlier = days.max() else { return .none }
        if let found = namesOfDays.withLock({ $0[source] }), found.day == earlier { return found.names }
        do {
            let names = try files.pool(for: earlier)?.read { try KnownNames($0, source: source) } ?? KnownNames.none
            namesOfDays.withLock { $0[source] = (earlier, names) }
            return names
        } catch let error as DatabaseError where error.isDamage {
            // The next reader of that day sets it aside.
            return .none
        }
    }
}
