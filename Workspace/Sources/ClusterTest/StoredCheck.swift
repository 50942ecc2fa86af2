import ClusterTestKit
import Foundation
import ProgramSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Compares the rows of a replica of the store with the acknowledged events.
struct StoredCheck {
    private(set) var events = 0
    /// Events that went through the live plugin.
    private(set) var scripted = 0
    private(set) var lost = 0
    private(set) var doubled = 0
    private(set) var reordered = 0
    /// Events that no client sent, or that came in a request without an acknowledgement.
    private(set) var unknown = 0

    /// - Parameters:
    ///   - sent: the clients, with their acknowledged batches.
    ///   - partitions: the number of partitions. The replica is asked for one after the other.
    /// - Throws: when the replica does not answer.
    init(_ address: String, _ database: String, _ sent: Devices, partitions: Int) async throws {
        let acknowledged = sent.acknowledged
        // How often the replica has each event of a device. Rows that servers would merge later count as well.
        var found = acknowledged.mapValues { [UInt8](repeating: 0, count: $0 * Devices.events) }
        var newest: [Int: Int] = [:]
        for partition in 0..<partitions {
            let text = try await Self.ask(
                address,
                """
                SELECT messageId FROM \(database).rows WHERE kind = 1 AND bitAnd(number, 63) = \(partition)
                ORDER BY number FORMAT TabSeparated
                """)
            for id in text.split(separator: "\n") {
                events += 1
                guard let event = SentEvent(messageId: id), let batches = acknowledged[event.device],
                    event.batch < batches, event.index < Devices.events
                else {
                    unknown += 1
                    continue
                }
                let position = event.batch * Devices.events + event.index
                let count = found[event.device]?[position] ?? 0
                found[event.device]?[position] = min(count, .max - 1) + 1
                guard count == 0 else {
                    doubled += 1
                    continue
                }
                if position < newest[event.device] ?? -1 { reordered += 1 }
                newest[event.device] = max(newest[event.device] ?? -1, position)
            }
        }
        scripted =
            Int(
                try await Self.ask(
                    address,
                    "SELECT count() FROM \(database).rows WHERE kind = 1 AND name LIKE '\(ClusterTestNames.prefix) %'"
                ).trimmingCharacters(in: .newlines)) ?? 0
        lost = found.values.reduce(0) { $0 + $1.count { $0 == 0 } }
    }

    /// Whether the replica has exactly the acknowledged events.
    var isClean: Bool { lost == 0 && doubled == 0 && reordered == 0 && unknown == 0 }

    /// The findings, for people.
    var report: String {
        "\(events) events, \(scripted) of them through a live plugin, lost=\(lost) doubled=\(doubled) reordered=\(reordered)"
            + (unknown > 0 ? " and \(unknown) events that no client sent" : "")
    }

    /// The parts of the table that a replica has and that ZooKeeper does not know.
    static func strayParts(_ address: String, _ database: String, replica: Int) async throws -> [String] {
        let text = try await ask(
            address,
            """
            SELECT name FROM system.parts WHERE database = '\(database)' AND table = 'rows' AND active AND name NOT IN
            (SELECT name FROM system.zookeeper WHERE path = '/tributary/\(database)/rows/replicas/replica\(replica)/parts')
            """)
        return text.split(separator: "\n").map(String.init)
    }

    /// Describes events that the replica has more than once: the rows of some of them, the number that queries see
    /// twice, and the parts that missed their quorum.
    static func doubles(_ address: String, _ database: String) async -> String {
        func answer(_ sql: String) async -> String {
            let text = (try? await ask(address, sql)) ?? "no answer"
            return text.split(separator: "\n").joined(separator: "; ")
        }
        let rows = await answer(
            """
            SELECT messageId, groupArray(_part), groupArray(number), groupUniqArray(slot) FROM \(database).rows WHERE kind = 1
            GROUP BY messageId HAVING count() > 1 ORDER BY messageId LIMIT 3
            """)
        let parts = await answer(
            """
            SELECT parts, count() FROM (SELECT arraySort(groupArray(_part)) AS parts FROM \(database).rows WHERE kind = 1
            GROUP BY messageId HAVING count() > 1) GROUP BY parts LIMIT 20
            """)
        let seen = await answer(
            """
            SELECT count() FROM (SELECT messageId FROM \(database).rows FINAL WHERE kind = 1 GROUP BY messageId
            HAVING count() > 1)
            """)
        let failed = await answer(
            "SELECT name FROM system.zookeeper WHERE path = '/tributary/\(database)/rows/quorum/failed_parts'")
        return
            "queries see \(seen) of them twice; in the parts \(parts); rows \(rows); parts without a quorum: \(failed)"
    }

    /// Asks a server of ClickHouse.
    static func ask(_ address: String, _ sql: String) async throws -> String {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(sql.utf8)
        let (data, response) = try await URLSession.shared.answer(to: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return String(decoding: data, as: UTF8.self)
    }
}
