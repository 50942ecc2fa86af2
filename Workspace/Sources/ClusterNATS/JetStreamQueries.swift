import TributaryJSON
package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Reads the state of a cluster's streams, without changing anything.
package struct JetStreamQueries {
    /// The names of a cluster's streams and buckets.
    package struct Names: Sendable {
        /// The beginning of the names of the partitions' streams.
        package let log: String
        /// The bucket with the records of partitions.
        package let places: String
        /// The stream of the changes of settings.
        package let settings: String
        /// The beginning of the name of the stream of the health reports.
        package let health: String

        package init(log: String, places: String, settings: String, health: String) {
            (self.log, self.places, self.settings, self.health) = (log, places, settings, health)
        }

        /// The names that `serve` uses.
        package static let usual = Names(
            log: "TRIBUTARY", places: "tributary_places", settings: "TRIBUTARY_SETTINGS",
            health: "TRIBUTARY_HEALTH")
    }

    private static let replicas = 3

    /// - Parameter partitions: the number of partitions when the streams do not say it.
    package static func streams(
        _ connection: NATSConnection, _ names: Names, partitions: Int
    ) async -> [LogFacts.Stream] {
        let first = await look(at: wanted(names, 0, of: partitions), connection)
        let count = first.found?["description"]?.stringValue.flatMap(Self.count) ?? partitions
        let all =
            (0..<count).map { wanted(names, $0, of: count) } + [
                JetStreamLeases.settings(names.places, replicas: replicas),
                JetStreamChangeLog.settings(names.settings, replicas: replicas),
                JetStreamLog.settings(
                    names.health, 0, of: 1, replicas: replicas, bytes: JetStreamLog.usualBytes,
                    days: JetStreamLog.healthDays),
            ]
        return await withTaskGroup(of: (Int, LogFacts.Stream).self) { group in
            for (index, wanted) in all.enumerated() {
                group.addTask { (index, await look(at: wanted, connection)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func wanted(_ names: Names, _ partition: Int, of count: Int) -> JSONObject {
        JetStreamLog.settings(names.log, partition, of: count, replicas: replicas, bytes: JetStreamLog.usualBytes)
    }

    /// The number in `partition 0 of 16`.
    private static func count(_ description: String) -> Int? {
        guard let count = description.split(separator: " ").last.flatMap({ Int($0) }),
            (1...ClusterOptions.mostPartitions).contains(count)
        else { return nil }
        return count
    }

    private static func look(at wanted: JSONObject, _ connection: NATSConnection) async -> LogFacts.Stream {
        let name = wanted["name"]?.stringValue ?? ""
        var stream = LogFacts.Stream(name, wanted: wanted)
        do {
            let answer = try await connection.ask("$JS.API.STREAM.INFO.\(name)", within: .seconds(5)).result()
            stream.found = answer["config"]
            stream.behind = (answer["cluster"]?["replicas"]?.elements ?? []).filter(isBehind).compactMap {
                $0["name"]?.stringValue
            }
        } catch let error as JetStreamFailure where error.code == JetStreamFailure.noStream {
            stream.found = nil
        } catch {
            stream.failure = "\(error)"
        }
        return stream
    }

    /// A replica is not `current` for a moment after each record, so records that it lacks count only when it is away.
    private static func isBehind(_ replica: JSON) -> Bool {
        replica["offline"]?.boolValue == true || (replica["lag"]?.numberValue?.double ?? 0) > Self.mostLag
    }

    private static let mostLag = 10_000.0
}
