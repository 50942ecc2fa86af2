package import Crypto
package import Foundation
package import GRDB
import TributaryJSON

extension Store {
    /// The version under which reports about delivery are stored, the version for others without sums of their own, and
    /// the prefix of a version of the filters.
    package static let deliveryVersion = ""
    package static let otherVersions = "other"
    package static let filterPrefix = "filters "
    /// The prefix of a version of the live plugins that runs as a shadow.
    package static let shadowPrefix = "shadow "

    /// Counts reports, in one transaction. A report that was counted before changes nothing.
    /// - Parameters:
    ///   - samples: those of the open roll-outs; they have the new reports afterwards.
    ///   - place: how far the log of a cluster is counted with these reports; nil on one machine.
    /// - Returns: which reports are new, and the samples.
    package func countReports(
        _ reports: [SourceReport], _ samples: RolloutSamples, through place: HealthLogOffset? = nil
    ) async throws -> (isNew: [Bool], samples: RolloutSamples) {
        try await pool.write { db in
            var samples = samples
            try samples.follow(try Self.rollouts(db), db)
            // A source may have been removed meanwhile.
            let sources = Set(try Int64.fetchAll(db, sql: "SELECT id FROM source"))
            var hours: [HealthPlace: HealthSums] = [:]
            var accounts = AccountHours()
            let isNew = try reports.map { report in
                guard sources.contains(report.source), let before = try Self.note(report, db) else { return false }
                let hour = report.receivedAt / 3_600_000
                accounts.add(report, before: before, hour: hour)
                for (version, sums) in report.sums {
                    let place = HealthPlace(source: report.source, hour: hour, version: version)
                    hours[place, default: HealthSums()].add(sums)
                }
                let dropped = report.sums[Self.deliveryVersion]?.counts["dropped"] ?? 0
                if dropped > 0, place == nil {
                    let name = StripCounter.name(report.receivedAt, .dropped)
                    try Self.add(dropped, to: WritePlan.Counter(source: report.source, name: name), db)
                }
                samples.add(report)
                return true
            }
            for (place, sums) in hours { try Self.add(sums, at: place, db) }
            try accounts.store(db)
            try samples.store(db)
            try place?.write(db)
            return (isNew, samples)
        }
    }

    /// The secret with which ids of devices are made into digests.
    package static func healthKey(_ db: Database) throws -> SymmetricKey {
        SymmetricKey(data: try Data.fetchOne(db, sql: "SELECT value FROM healthKey") ?? Data())
    }

    /// - Returns: the number of the device's report before, 0 when none is known; nil when the report was counted before.
    private static func note(_ report: SourceReport, _ db: Database) throws -> Int64? {
        let before = try db.cachedStatement(sql: "SELECT number FROM healthDevice WHERE source = ? AND device = ?")
        let number = try Int64.fetchOne(before, arguments: [report.source, report.device.bytes]) ?? 0
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO healthDevice (source, device, number, at, app, stop, "interval") VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (source, device) DO UPDATE
                    SET number = excluded.number, at = excluded.at, app = excluded.app, stop = excluded.stop,
                        "interval" = excluded."interval"
                    WHERE number < excluded.number
                """)
        let app = try appNumber(report, db)
        try statement.execute(
            arguments: [
                report.source, report.device.bytes, report.number, report.receivedAt, app, report.heard?.stop ?? -1,
                report.heard?.interval ?? 0,
            ])
        return db.changesCount > 0 ? number : nil
    }

    private static func add(_ sums: HealthSums, at place: HealthPlace, _ db: Database) throws {
        let arguments: StatementArguments = [place.source, place.hour, place.version]
        let stored = try Data.fetchOne(
            db, sql: "SELECT body FROM healthHour WHERE source = ? AND hour = ? AND version = ?", arguments: arguments)
        var all = try stored.map { HealthSums(try JSON.parse([UInt8]($0))) } ?? HealthSums()
        all.add(sums)
        let statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO healthHour (source, hour, version, body) VALUES (?, ?, ?, ?)")
        try statement.execute(
            arguments: [place.source, place.hour, place.version, Data(all.json.encoded())])
    }

    /// Whether there are sums of any source.
    package func hasHealth() async throws -> Bool {
        try await pool.read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM healthHour)") ?? false
        }
    }

    /// The sums of a source from an hour on, oldest first.
    package func healthHours(source: Int64, from hour: Int64) async throws -> [(
        hour: Int64, version: String, sums: HealthSums
    )] {
        try await pool.read { db in
            let sql = "SELECT hour, version, body FROM healthHour WHERE source = ? AND hour >= ? ORDER BY hour, version"
            return try Row.fetchAll(db, sql: sql, arguments: [source, hour]).compactMap { row in
                let version = try row.decode(String.self, forColumn: "version")
                // These sums are of another kind.
                guard CountedApp(stored: version) == nil else { return nil }
                return (try row.decode(Int64.self, forColumn: "hour"), version, HealthSums(try row.json("body")))
            }
        }
    }

    /// How many devices have reported since then, and a sample of them: those with the lowest digests. Digests are made with a
    /// secret, so the sample is fair, and a sender cannot choose devices that are in it.
    package func hearingDevices(of source: Int64, since: Int64) async throws -> (count: Int, sample: [StopReach.Device])
    {
        try await pool.read { db in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM healthDevice WHERE source = ? AND at >= ?", arguments: [source, since])
            let sql = """
                SELECT at, stop, "interval" FROM healthDevice WHERE source = ? AND at >= ? ORDER BY device LIMIT ?
                """
            let rows = try Row.fetchAll(db, sql: sql, arguments: [source, since, HealthSample.capacity])
            let sample = try rows.map { row in
                let stop = try row.decode(Int64.self, forColumn: "stop")
                let interval = try row.decode(Int64.self, forColumn: "interval")
                return StopReach.Device(
                    reportedAt: try row.decode(Int64.self, forColumn: "at"),
                    heard: stop < 0 ? nil : HeardSettings(stop: stop, interval: interval))
            }
            return (count ?? 0, sample)
        }
    }

    /// Forgets instances that reported longest ago where a source has too many.
    package func forgetOldestDevices() async throws {
        try await pool.write { db in
            for source in try Int64.fetchAll(db, sql: "SELECT DISTINCT source FROM healthDevice") {
                try db.execute(
                    sql: """
                        DELETE FROM healthDevice WHERE source = ?1 AND device IN (
                            SELECT device FROM healthDevice WHERE source = ?1
                            ORDER BY at DESC, device LIMIT -1 OFFSET ?2)
                        """,
                    arguments: [source, Limits.healthDevices])
            }
        }
    }

    /// Deletes the sums of hours before a day, and the instances that have not reported since then.
    package func removeHealth(before day: Day) async throws {
        try await pool.write { db in
            try db.execute(sql: "DELETE FROM healthHour WHERE hour < ?", arguments: [day.start / 3_600_000])
            try db.execute(sql: "DELETE FROM healthDevice WHERE at < ?", arguments: [day.start])
            try Self.removeAppsWithoutDevices(db)
        }
    }
}

/// Where sums are stored.
private struct HealthPlace: Hashable {
    let source: Int64
    let hour: Int64
    let version: String
}

extension UInt64 {
    /// The 8 bytes in which a digest of a device is stored.
    package var bytes: Data { withUnsafeBytes(of: bigEndian) { Data($0) } }

    /// A stored digest; nil for one of another length.
    package init?(bytes: Data) {
        guard bytes.count == 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
