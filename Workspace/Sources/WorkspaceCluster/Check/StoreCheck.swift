import WorkspaceCore
import WorkspaceServer

/// Decides from the facts about the store whether it keeps blocks safely and stores each block once.
package enum StoreCheck {
    /// The oldest version that was tested.
    private static let oldest = "18.16"
    private static let fewestReplicas = 3

    package static func findings(_ facts: StoreFacts, _ settings: ClickHouseSettings) -> [CheckFinding] {
        facts.hosts.flatMap { host in
            guard let failure = host.failure else { return findings(of: host, settings) }
            return [
                CheckFinding(
                    .store, host.address, "answers", found: failure, .warning,
                    advice: "start this server, or correct its address in --store")
            ]
        } + [replicas(facts.hosts, settings)] + names(facts.hosts) + [quorum(settings)]
    }

    // MARK: One server

    private static func findings(of host: StoreFacts.Host, _ settings: ClickHouseSettings) -> [CheckFinding] {
        var findings = [version(host), macro(host), keeper(host)]
        findings += StoreUserCheck.findings(host) + StoreTableCheck.findings(host, settings)
        findings += host.unseen.sorted { $0.key < $1.key }.map { what, reason in
            CheckFinding(
                .store, host.address, what, found: "cannot be seen: \(reason)", .unseen,
                advice: "let the user of --store read the tables of the database system")
        }
        return findings
    }

    private static func version(_ host: StoreFacts.Host) -> CheckFinding {
        let version = EngineVersion(host.version)
        return CheckFinding(
            .store, host.address, "version", found: host.version,
            isFine: version.map { $0 >= EngineVersion(oldest) ?? $0 } ?? false,
            advice: "install ClickHouse \(oldest) or later")
    }

    private static func macro(_ host: StoreFacts.Host) -> CheckFinding {
        CheckFinding(
            .store, host.address, "macro replica", found: host.macro ?? "none", isFine: host.macro != nil,
            advice: "add <macros><replica>NAME</replica></macros> to the configuration, with a name of its own")
    }

    private static func keeper(_ host: StoreFacts.Host) -> CheckFinding {
        if !host.hasKeeper {
            return CheckFinding(
                .store, host.address, "keeper", found: "not configured", .wrong,
                advice: "name the servers of ZooKeeper or ClickHouse Keeper in <zookeeper> of the configuration")
        }
        return CheckFinding(
            .store, host.address, "keeper", found: host.keeperFailure ?? "reachable", isFine: host.keeperFailure == nil,
            otherwise: .warning,
            advice: "start a majority of ZooKeeper or ClickHouse Keeper, and let this server reach it")
    }

    // MARK: All servers

    private static func replicas(_ hosts: [StoreFacts.Host], _ settings: ClickHouseSettings) -> CheckFinding {
        CheckFinding(
            .store, "all replicas", "replicas", found: "\(settings.hosts.count)",
            isFine: settings.hosts.count >= fewestReplicas, otherwise: settings.hosts.count > 1 ? .warning : .wrong,
            advice: settings.hosts.count > 1
                ? "name three replicas in --store; with two, nothing is stored while one is away"
                : "name three replicas in --store; the only disk with the events may break")
    }

    /// Two servers of the same name, and two addresses of one server, would count as two copies of a block that is on
    /// one disk.
    private static func names(_ hosts: [StoreFacts.Host]) -> [CheckFinding] {
        let macros = hosts.compactMap(\.macro)
        let paths = Set(hosts.compactMap { $0.replica?.path })
        guard !macros.isEmpty else { return [] }
        let isOnce = Set(macros).count == macros.count
        var findings = [
            CheckFinding(
                .store, "all replicas", "names of replicas", found: macros.sorted().joined(separator: ", "),
                isFine: isOnce,
                advice: "give each server another macro `replica`, and name each server once in --store")
        ]
        if paths.count > 1 {
            findings.append(
                CheckFinding(
                    .store, "all replicas", "path in keeper", found: paths.sorted().joined(separator: ", "), .wrong,
                    advice: "these tables share nothing; drop the one that a node did not make"))
        }
        return findings
    }

    private static func quorum(_ settings: ClickHouseSettings) -> CheckFinding {
        CheckFinding(
            .store, "all replicas", "insert_quorum",
            found: "\(settings.quorum) of \(settings.hosts.count), sent with each insert",
            isFine: settings.quorum * 2 > settings.hosts.count, advice: "a majority of the replicas has to hold a block"
        )
    }
}
