import Foundation
import GRDB
import TributaryJSON

/// What devices say of the ends of their events, by version of the app and hour of arrival.
extension Store {
    /// The sums of a source in some hours.
    package func accounts(of source: Int64, hours: Range<Int64>) async throws -> [(app: CountedApp, sums: AccountSums)]
    {
        try await pool.read { db in
            let sql = "SELECT version, body FROM healthHour WHERE source = ? AND hour >= ? AND hour < ? ORDER BY hour"
            let rows = try Row.fetchCursor(
                db, sql: sql, arguments: [source, hours.lowerBound, hours.upperBound])
            var accounts: [(app: CountedApp, sums: AccountSums)] = []
            while let row = try rows.next() {
                guard let app = CountedApp(stored: try row.decode(String.self, forColumn: "version")) else { continue }
                accounts.append((app, AccountSums(try row.json("body"))))
            }
            return accounts
        }
    }

    /// How many devices that have reported since then have which version of the app.
    package func accountDevices(of source: Int64, since: Int64) async throws -> [CountedApp: Int] {
        let apps = try await reportedApps(of: source, since: since)
        var devices: [CountedApp: Int] = [:]
        for (app, count) in apps.versions { devices[.version(app.version ?? ""), default: 0] += count }
        if apps.silent > 0 { devices[.version(""), default: 0] += apps.silent }
        if apps.others > 0 { devices[.others] = apps.others }
        return devices
    }
}

/// The accounts of reports that are stored in one transaction.
struct AccountHours {
    /// The most reports that one device counts as missing at once: a number can be invented.
    private static let mostMissing: Int64 = 100

    private struct Place: Hashable {
        let source: Int64
        let hour: Int64
        let app: CountedApp
    }

    private var hours: [Place: AccountSums] = [:]

    /// - Parameter before: the number of the device's report before; 0 when none is known.
    mutating func add(_ report: SourceReport, before: Int64, hour: Int64) {
        guard var account = report.account else { return }
        if before > 0 {
            let missing = min(max(0, report.number - before - 1), Self.mostMissing)
            account.sums[.missing] = Int(missing)
        }
        let place = Place(source: report.source, hour: hour, app: account.app)
        hours[place, default: AccountSums()].add(account.sums)
    }

    /// Adds the sums to the stored ones. A version that is not kept among the versions of the source, because strangers can
    /// invent versions, is one of the others.
    func store(_ db: Database) throws {
        var kept: [Int64: Set<String>] = [:]
        var places: [Place: AccountSums] = [:]
        for (place, sums) in hours {
            var app = place.app
            if case .version(let version) = app, !version.isEmpty {
                let versions = try kept[place.source] ?? Store.keptVersions(of: place.source, db)
                kept[place.source] = versions
                if !versions.contains(version) { app = .others }
            }
            places[Place(source: place.source, hour: place.hour, app: app), default: AccountSums()].add(sums)
        }
        for (place, sums) in places { try Self.add(sums, at: place, db) }
    }

    private static func add(_ sums: AccountSums, at place: Place, _ db: Database) throws {
        let arguments: StatementArguments = [place.source, place.hour, place.app.stored]
        let stored = try Data.fetchOne(
            db, sql: "SELECT body FROM healthHour WHERE source = ? AND hour = ? AND version = ?", arguments: arguments)
        var all = try stored.map { AccountSums(try JSON.parse([UInt8]($0))) } ?? AccountSums()
        all.add(sums)
        try db.execute(
            sql: "INSERT OR REPLACE INTO healthHour (source, hour, version, body) VALUES (?, ?, ?, ?)",
            arguments: [place.source, place.hour, place.app.stored, Data(all.json.encoded())])
    }
}
