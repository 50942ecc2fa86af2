import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Reads the monitoring port of NATS servers. Only that port says how they sync.
package enum LogMonitoring {
    private static let patience: Int64 = 3
    private static let mostBytes = 4 << 20
    /// Follows no redirect, because it could lead to any server.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// - Parameter addresses: as `ClusterAddresses.monitoring` gives them.
    package static func monitors(_ addresses: [String]) async -> [LogFacts.Monitor] {
        await withTaskGroup(of: (Int, LogFacts.Monitor).self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask { (index, await monitor(address)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func monitor(_ address: String) async -> LogFacts.Monitor {
        var monitor = LogFacts.Monitor(address)
        do {
            let response = try await http.execute(
                try ServiceAddress(address).with(target: "/varz").request(.GET), timeout: .seconds(patience))
            let body = try await response.body.collect(upTo: mostBytes)
            guard response.status == .ok else {
                monitor.failure = "status \(response.status.code)"
                return monitor
            }
            read(Array(body.readableBytesView), into: &monitor)
        } catch {
            monitor.failure = "the server does not answer"
        }
        return monitor
    }

    /// Takes the answer to `/varz`. Servers leave out members that are false.
    static func read(_ answer: [UInt8], into monitor: inout LogFacts.Monitor) {
        guard let json = try? JSON.parse(answer), let id = json["server_id"]?.stringValue else {
            monitor.failure = "the answer is none of a server of NATS"
            return
        }
        (monitor.id, monitor.name) = (id, json["server_name"]?.stringValue ?? "")
        guard let configuration = json["jetstream"]?["config"], configuration.objectValue != nil else { return }
        monitor.keepsStreams = true
        monitor.isAlwaysSynced = configuration["sync_always"]?.boolValue ?? false
        monitor.syncInterval = configuration["sync_interval"]?.numberValue.map { Int64($0.double) }
    }
}
