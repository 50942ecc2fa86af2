import Foundation
package import GRDB
import TributaryJSON

/// The samples by which open roll-outs are decided, of all sources.
package struct RolloutSamples: Sendable {
    /// The roll-out that samples belong to.
    package struct Key: Hashable, Sendable {
        package let source: Int64
        package let kind: RolloutKind

        package init(_ record: RolloutRecord) { (source, kind) = (record.source, record.kind) }
        package init(source: Int64, kind: RolloutKind) { (self.source, self.kind) = (source, kind) }
    }

    /// The samples of one roll-out.
    package struct Pair: Sendable {
        package let startedAt: Int64
        package let comparison: Int
        package let version: Int64
        package let previous: Int64?
        /// Whether devices run the version as a shadow.
        package let isShadow: Bool
        /// Reports about the version in its present stage.
        package var new: HealthSample
        /// Reports about the version before since the start; nil when there was none.
        package var before: HealthSample?

        fileprivate mutating func begin(stage: Int) {
            while new.stage < stage { new.beginStage(keepingSums: false) }
            while let sample = before, sample.stage < stage { before?.beginStage(keepingSums: true) }
        }
    }

    package private(set) var pairs: [Key: Pair] = [:]

    package init(pairs: [Key: Pair] = [:]) { self.pairs = pairs }

    /// Adds what a report says about versions that are rolled out, and about those before them.
    ///
    /// A report counts for the roll-out, the comparison and the stage in which it came, whenever it is counted.
    package mutating func add(_ report: SourceReport) {
        for kind in RolloutKind.allCases {
            let versions = report.health[kind] ?? [:]
            let key = Key(source: report.source, kind: kind)
            guard var pair = pairs[key] else { continue }
            let came = report.stages?[kind]
            if report.stages != nil {
                guard came?.startedAt == pair.startedAt, came?.comparison == pair.comparison else { continue }
            }
            let (device, number, isEarly) = (report.device, report.number, report.isEarly)
            if let health = pair.isShadow ? report.shadows[pair.version] : versions[pair.version] {
                pair.new.add(health, at: device, report: number, isEarly: isEarly, in: came?.stage)
            }
            if let previous = pair.previous, let health = versions[previous] {
                pair.before?.add(
                    health, at: device, report: number, isEarly: isEarly, in: came?.stage, keepingSums: true)
            }
            pairs[key] = pair
        }
    }

    /// Reads the missing samples of the open roll-outs, begins their stages, and drops the samples of roll-outs that
    /// are over or that began their comparison again.
    package mutating func follow(_ records: [RolloutRecord], _ db: Database) throws {
        let open = Dictionary(records.filter(\.isOpen).map { (Key($0), $0) }, uniquingKeysWith: { $1 })
        for (key, pair) in pairs
        where open[key]?.startedAt != pair.startedAt || open[key]?.comparison != pair.comparison { pairs[key] = nil }
        for (key, record) in open {
            if pairs[key] == nil { pairs[key] = try Self.pair(of: record, db) }
            pairs[key]?.begin(stage: record.progress.stage)
        }
    }

    private static func pair(of record: RolloutRecord, _ db: Database) throws -> Pair {
        func sample(_ name: String, isBefore: Bool) throws -> HealthSample {
            var entries: [UInt64: SampledDevice] = [:]
            let sql = "SELECT device, body FROM rolloutDevice WHERE source = ? AND kind = ? AND sample = ?"
            for row in try Row.fetchAll(db, sql: sql, arguments: [record.source, record.kind.rawValue, name]) {
                guard let place = UInt64(bytes: try row.decode(Data.self, atIndex: 0)) else { continue }
                var device = SampledDevice(try JSON.parse([UInt8](try row.decode(Data.self, atIndex: 1))))
                if device.stage < record.progress.stage { device.beginStage(keepingSums: isBefore) }
                entries[place] = device
            }
            return HealthSample(entries: entries, stage: record.progress.stage)
        }
        return Pair(
            startedAt: record.startedAt, comparison: record.comparison, version: record.version,
            previous: record.previous, isShadow: record.progress.isShadow,
            new: try sample("version", isBefore: false),
            before: record.isAlone ? nil : try record.previous.map { _ in try sample("before", isBefore: true) })
    }

    /// Stores the changes.
    package mutating func store(_ db: Database) throws {
        for (key, pair) in pairs {
            try Self.store(pair.new, key, "version", db)
            if let before = pair.before { try Self.store(before, key, "before", db) }
            pairs[key]?.new.forgetChanges()
            pairs[key]?.before?.forgetChanges()
        }
    }

    private static func store(_ sample: HealthSample, _ key: Key, _ name: String, _ db: Database) throws {
        for (place, device) in sample.changes {
            let row: StatementArguments = [key.source, key.kind.rawValue, name, place.bytes]
            if let device {
                let statement = try db.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO rolloutDevice (source, kind, sample, device, body)
                        VALUES (?, ?, ?, ?, ?)
                        """)
                try statement.execute(arguments: row + [Data(device.json.encoded())])
            } else {
                try db.execute(
                    sql: """
                        DELETE FROM rolloutDevice WHERE source = ? AND kind = ? AND sample = ? AND device = ?
                        """,
                    arguments: row)
            }
        }
    }
}
