import Crypto
import Foundation
import GRDB
import TributaryJSON

/// The samples by which open roll-outs are decided, of all sources.
struct RolloutSamples: Sendable {
    /// The samples of one roll-out.
    struct Pair: Sendable {
        let startedAt: Int64
        let version: Int64
        let previous: Int64?
        /// Reports about the version in its present stage.
        var new: HealthSample
        /// Reports about the version before since the start; nil when there was none.
        var before: HealthSample?

        fileprivate mutating func begin(stage: Int) {
            while new.stage < stage { new.beginStage(keepingSums: false) }
            while let sample = before, sample.stage < stage { before?.beginStage(keepingSums: true) }
        }
    }

    /// By source.
    private(set) var pairs: [Int64: Pair] = [:]

    /// Adds what a report says about a version that is rolled out, or about the one before it.
    mutating func add(_ report: SourceReport) {
        guard var pair = pairs[report.source] else { return }
        for version in report.report.versions {
            guard let number = Int64(version.name) else { continue }
            let (instance, count, isEarly) = (report.report.instance, report.report.number, report.report.isEarly)
            if number == pair.version {
                pair.new.add(version.health, of: instance, report: count, isEarly: isEarly)
            } else if number == pair.previous {
                pair.before?.add(version.health, of: instance, report: count, isEarly: isEarly)
            }
        }
        pairs[report.source] = pair
    }

    /// Reads the samples of the open roll-outs that are not there, begins their stages, and forgets those of roll-outs that
    /// are over.
    mutating func follow(_ records: [RolloutRecord], _ db: Database) throws {
        let open = Dictionary(records.filter(\.isOpen).map { ($0.source, $0) }, uniquingKeysWith: { $1 })
        for (source, pair) in pairs where open[source]?.startedAt != pair.startedAt { pairs[source] = nil }
        for (source, record) in open {
            if pairs[source] == nil { pairs[source] = try Self.pair(of: record, db) }
            pairs[source]?.begin(stage: record.progress.stage)
        }
    }

    private static func pair(of record: RolloutRecord, _ db: Database) throws -> Pair {
        let key = try Store.healthKey(db)
        func sample(_ name: String, isBefore: Bool) throws -> HealthSample {
            var entries: [UInt64: SampledDevice] = [:]
            let sql = "SELECT device, body FROM rolloutDevice WHERE source = ? AND sample = ?"
            for row in try Row.fetchAll(db, sql: sql, arguments: [record.source, name]) {
                guard let place = UInt64(bytes: try row.decode(Data.self, atIndex: 0)) else { continue }
                var device = SampledDevice(try JSON.parse([UInt8](try row.decode(Data.self, atIndex: 1))))
                if device.stage < record.progress.stage { device.beginStage(keepingSums: isBefore) }
                entries[place] = device
            }
            return HealthSample(key: key, entries: entries, stage: record.progress.stage)
        }
        return Pair(
            startedAt: record.startedAt, version: record.version, previous: record.previous,
            new: try sample("version", isBefore: false),
            before: try record.previous.map { _ in try sample("before", isBefore: true) })
    }

    /// Stores what was changed.
    mutating func store(_ db: Database) throws {
        for (source, pair) in pairs {
            try Self.store(pair.new, source, "version", db)
            if let before = pair.before { try Self.store(before, source, "before", db) }
            pairs[source]?.new.forgetChanges()
            pairs[source]?.before?.forgetChanges()
        }
    }

    private static func store(_ sample: HealthSample, _ source: Int64, _ name: String, _ db: Database) throws {
        for (place, device) in sample.changes {
            if let device {
                let statement = try db.cachedStatement(
                    sql: "INSERT OR REPLACE INTO rolloutDevice (source, sample, device, body) VALUES (?, ?, ?, ?)")
                try statement.execute(arguments: [source, name, place.bytes, Data(device.json.encoded())])
            } else {
                try db.execute(
                    sql: "DELETE FROM rolloutDevice WHERE source = ? AND sample = ? AND device = ?",
                    arguments: [source, name, place.bytes])
            }
        }
    }
}
