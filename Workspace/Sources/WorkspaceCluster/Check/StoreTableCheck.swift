import Foundation
import WorkspaceCore
import WorkspaceServer

/// Checks the table of rows on a server of the store.
enum StoreTableCheck {
    /// Seconds that a replica may be behind before the check reports it.
    private static let longestDelay = 60

    static func findings(_ host: StoreFacts.Host, _ settings: ClickHouseSettings) -> [CheckFinding] {
        let table = "\(settings.database).\(ClickHouseTable.name)"
        guard let engine = host.engine else {
            guard host.unseen["the table"] == nil else { return [] }
            return [CheckFinding(.store, host.address, table, found: "not there yet; the first node makes it")]
        }
        return [self.engine(host, engine)] + options(host, engine, table, settings) + [columns(host)]
            + replica(host, settings)
    }

    private static func engine(_ host: StoreFacts.Host, _ engine: String) -> CheckFinding {
        let name = String(engine.prefix { $0 != "(" && $0 != " " })
        return CheckFinding(
            .store, host.address, "engine of the table", found: name, isFine: name == "ReplicatedReplacingMergeTree",
            advice: "drop this table, and let a node make it")
    }

    private static func options(
        _ host: StoreFacts.Host, _ engine: String, _ table: String, _ settings: ClickHouseSettings
    ) -> [CheckFinding] {
        let version = EngineVersion(host.version)?.main ?? 0
        return ClickHouseTable.options(settings, version: version).compactMap { option, value in
            let found = self.value(of: option, in: engine) ?? host.tableDefaults[option]
            let text = found.map(String.init) ?? "the default"
            let change = ClickHouseTable.change(option, to: value, of: table, version: version)
            switch option {
            case "old_parts_lifetime":
                return CheckFinding(
                    .store, host.address, option, found: text, isFine: found.map { $0 <= value } ?? false,
                    otherwise: .warning, advice: "\(change), or the bytes of erased users stay on the disk for longer")
            case "index_granularity": return nil
            case _ where ClickHouseTable.syncs.contains(option):
                return CheckFinding(
                    .store, host.address, option, found: text, isFine: found == value, otherwise: .warning,
                    advice: "\(change), or rows that a quorum has may be lost when all replicas lose their power")
            default:
                return CheckFinding(
                    .store, host.address, option, found: text, isFine: found.map { $0 >= value } ?? false,
                    advice: "\(change), or repeated blocks are stored twice")
            }
        }
    }

    /// The number that a setting of the table is set to.
    static func value(of option: String, in engine: String) -> Int? {
        guard let range = engine.range(of: " \(option) = ") else { return nil }
        return Int(engine[range.upperBound...].prefix { $0.isASCII && $0.isNumber })
    }

    private static func columns(_ host: StoreFacts.Host) -> CheckFinding {
        let wanted = ClickHouseTable.columns.map(\.name)
        let missing = wanted.filter { !host.columns.contains($0) }
        return CheckFinding(
            .store, host.address, "columns of the table",
            found: missing.isEmpty ? "\(wanted.count)" : "without \(missing.joined(separator: ", "))",
            isFine: missing.isEmpty,
            advice: "another version of Tributary made the table; run that version")
    }

    private static func replica(_ host: StoreFacts.Host, _ settings: ClickHouseSettings) -> [CheckFinding] {
        guard let replica = host.replica else { return [] }
        var findings = [
            CheckFinding(
                .store, host.address, "replicas of the table",
                found: "\(replica.activeReplicas) of \(replica.replicas) active",
                isFine: replica.activeReplicas == replica.replicas && replica.replicas >= settings.hosts.count,
                otherwise: .warning, advice: "start the others; a node makes the table on each server of --store")
        ]
        if replica.isReadOnly {
            findings.append(
                CheckFinding(
                    .store, host.address, "copy of the table", found: "read-only", .warning,
                    advice: "let this server reach ZooKeeper or Keeper; its log says what it lacks"))
        }
        if replica.delay > longestDelay {
            findings.append(
                CheckFinding(
                    .store, host.address, "copy of the table", found: "\(replica.delay) s behind", .warning,
                    advice: "wait, or look into the log of this server"))
        }
        return findings
    }
}
