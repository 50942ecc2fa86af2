import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Decides from the facts about the log whether acknowledged records are safe in it.
package enum LogCheck {
    private static let fewestServers = 3
    /// The first version with `sync_interval`.
    private static let oldest = "2.10.0"

    package static func findings(_ facts: LogFacts) -> [CheckFinding] {
        facts.servers.flatMap(findings(of:)) + [count(facts.servers)] + groups(facts.servers) + syncing(facts)
            + LogStreamCheck.findings(facts.streams)
    }

    // MARK: Servers

    private static func findings(of server: LogFacts.Server) -> [CheckFinding] {
        if let failure = server.failure {
            return [
                CheckFinding(
                    .log, server.address, "answers", found: failure, .warning,
                    advice: "start this server, or correct its address in --log")
            ]
        }
        let place = name(of: server)
        let version = EngineVersion(server.version)
        let isNewEnough = version.map { $0 >= EngineVersion(oldest) ?? $0 } ?? false
        return [
            CheckFinding(
                .log, place, "version", found: server.version, isFine: isNewEnough,
                advice: "install nats-server \(oldest) or later: older ones know no sync_interval"),
            CheckFinding(
                .log, place, "jetstream", found: server.keepsStreams ? "on" : "off", isFine: server.keepsStreams,
                advice: "add `jetstream { store_dir: …, sync_interval: always }` to the configuration"),
            CheckFinding(
                .log, place, "max_payload", found: "\(server.mostBytes)",
                isFine: server.mostBytes >= ClusterRecord.mostBytes,
                advice: "set `max_payload: 8MB`; a request needs up to \(ClusterRecord.mostBytes) bytes"),
        ]
    }

    private static func name(of server: LogFacts.Server) -> String {
        server.name.isEmpty ? server.address : "\(server.name) \(server.address)"
    }

    /// One server under two addresses counts once. A server that does not answer counts as a server of its own.
    private static func count(_ servers: [LogFacts.Server]) -> CheckFinding {
        let answering = servers.filter { $0.failure == nil }
        let named = Set(answering.map(\.id)).count + servers.count - answering.count
        let known = max(named, answering.map(\.group.count).max() ?? 0)
        guard known >= fewestServers else {
            return CheckFinding(
                .log, "all servers", "servers", found: "\(known)", .wrong,
                advice: "run \(fewestServers) servers as one cluster, each on a machine of its own")
        }
        return CheckFinding(
            .log, "all servers", "servers", found: named == known ? "\(known)" : "\(named) named of \(known)",
            isFine: named >= fewestServers, otherwise: .warning,
            advice: "name all servers; a node cannot start when those that are named are away")
    }

    /// Servers of two groups share no stream.
    private static func groups(_ servers: [LogFacts.Server]) -> [CheckFinding] {
        let names = Set(servers.filter { $0.failure == nil }.map(\.cluster))
        guard let name = names.first else { return [] }
        return [
            CheckFinding(
                .log, "all servers", "cluster",
                found: names.sorted().map { $0.isEmpty ? "none" : $0 }.joined(separator: ", "),
                isFine: names.count == 1 && !name.isEmpty,
                advice: "give all servers the same `cluster { name: … }` and routes to each other")
        ]
    }

    // MARK: Syncing

    private static let setSync =
        "set `sync_interval: always` in `jetstream { … }` and start the server again, or a power cut takes acknowledged events"

    private static func syncing(_ facts: LogFacts) -> [CheckFinding] {
        let watched = Set(facts.monitors.filter { $0.failure == nil }.map(\.id))
        let unwatched = facts.servers.filter { $0.failure == nil && !watched.contains($0.id) }
        return facts.monitors.map(syncing(of:))
            + unwatched.map { server in
                CheckFinding(
                    .log, name(of: server), "sync_interval", found: "cannot be seen", .unseen,
                    advice: """
                        only its monitoring shows it: add `http: "HOST:8222"` to the configuration and name it in \
                        --log-monitoring, or look for `sync_interval: always` in the configuration
                        """)
            }
    }

    private static func syncing(of monitor: LogFacts.Monitor) -> CheckFinding {
        let place = monitor.name.isEmpty ? monitor.address : "\(monitor.name) \(monitor.address)"
        func finding(_ found: String, _ verdict: CheckFinding.Verdict, _ advice: String = "") -> CheckFinding {
            CheckFinding(.log, place, "sync_interval", found: found, verdict, advice: advice)
        }
        if let failure = monitor.failure {
            return finding(
                "cannot be seen: \(failure)", .unseen, "start this server, or correct its address in --log-monitoring")
        }
        guard monitor.keepsStreams else { return finding("jetstream is off", .wrong, setSync) }
        if monitor.isAlwaysSynced { return finding("always", .fine) }
        guard let nanoseconds = monitor.syncInterval else {
            return finding(
                "cannot be seen", .unseen,
                "this version does not show it; look for `sync_interval: always` in the configuration of the server")
        }
        return finding("\(nanoseconds / 1_000_000_000) s", .wrong, setSync)
    }
}
