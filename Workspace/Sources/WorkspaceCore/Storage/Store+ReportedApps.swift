import Foundation
import GRDB
import TributaryJSON

/// The versions of apps that devices report, and what they allow to scripts.
extension Store {
    /// The number of the app of devices that said nothing, and of those with a version that is not kept.
    private static let silent: Int64 = 0
    private static let other: Int64 = -1

    /// The number of the app in a report. A version that is new gets a number of its own.
    static func appNumber(_ report: SourceReport, _ db: Database) throws -> Int64 {
        guard let app = report.app else { return silent }
        let body = Data(JSON.object(app.json).encoded())
        let known = "SELECT number FROM appVersion WHERE source = ? AND body = ?"
        if let number = try Int64.fetchOne(db, sql: known, arguments: [report.source, body]) { return number }
        guard try makeRoom(report, db) else { return other }
        let last = "SELECT max(number) FROM appVersion WHERE source = ?"
        let number = (try Int64.fetchOne(db, sql: last, arguments: [report.source]) ?? 0) + 1
        try db.execute(
            sql: "INSERT INTO appVersion (source, number, body, at) VALUES (?, ?, ?, ?)",
            arguments: [report.source, number, body, report.receivedAt])
        return number
    }

    /// Makes room for another version: that with the fewest devices goes. So versions that a stranger invents, each of
    /// which has few devices, do not displace a real one. It costs a look at all devices, so there is one in a minute.
    /// - Returns: false when there is no room now.
    private static func makeRoom(_ report: SourceReport, _ db: Database) throws -> Bool {
        let sql = "SELECT count(*) AS count, max(at) AS at FROM appVersion WHERE source = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [report.source]),
            try row.decode(Int.self, forColumn: "count") >= Limits.reportedApps
        else { return true }
        let newest = try row.decode(Int64.self, forColumn: "at")
        guard report.receivedAt - newest >= Limits.reportedAppPause else { return false }
        let rarest = """
            SELECT number FROM appVersion WHERE source = ?1 ORDER BY (
                SELECT count(*) FROM healthDevice WHERE source = ?1 AND app = appVersion.number), number LIMIT 1
            """
        guard let number = try Int64.fetchOne(db, sql: rarest, arguments: [report.source]) else { return true }
        try db.execute(
            sql: "DELETE FROM appVersion WHERE source = ? AND number = ?", arguments: [report.source, number])
        try db.execute(
            sql: "UPDATE healthDevice SET app = ? WHERE source = ? AND app = ?",
            arguments: [other, report.source, number])
        return true
    }

    /// How many devices that have reported since then have which version of the app.
    package func reportedApps(of source: Int64, since: Int64) async throws -> ReportedApps {
        try await pool.read { db in
            let counted = try Row.fetchAll(
                db, sql: "SELECT app, count(*) AS count FROM healthDevice WHERE source = ? AND at >= ? GROUP BY app",
                arguments: [source, since])
            let bodies = try Row.fetchAll(
                db, sql: "SELECT number, body FROM appVersion WHERE source = ?", arguments: [source])
            var known: [Int64: ReportedApp] = [:]
            for row in bodies {
                known[try row.decode(Int64.self, forColumn: "number")] = ReportedApp(stored: try row.json("body"))
            }
            return try Self.apps(counted, known)
        }
    }

    private static func apps(_ counted: [Row], _ known: [Int64: ReportedApp]) throws -> ReportedApps {
        var apps = ReportedApps()
        for row in counted {
            let count = try row.decode(Int.self, forColumn: "count")
            let number = try row.decode(Int64.self, forColumn: "app")
            if let app = known[number] {
                apps.versions.append((app, count))
            } else if number == silent {
                apps.silent += count
            } else {
                apps.others += count
            }
        }
        apps.versions.sort { ($1.devices, $0.app.version ?? "") < ($0.devices, $1.app.version ?? "") }
        return apps
    }

    /// The versions of the app of a source that have counts of their own. Call it behind `appNumber`, which bounds them.
    static func keptVersions(of source: Int64, _ db: Database) throws -> Set<String> {
        let bodies = try Row.fetchAll(db, sql: "SELECT body FROM appVersion WHERE source = ?", arguments: [source])
        return Set(try bodies.compactMap { ReportedApp(stored: try $0.json("body")).version })
    }

    /// Removes the versions that no device has any more.
    static func removeAppsWithoutDevices(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM appVersion WHERE NOT EXISTS (
                    SELECT 1 FROM healthDevice WHERE healthDevice.source = appVersion.source AND app = appVersion.number)
                """)
    }
}
