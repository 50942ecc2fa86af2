import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Compares what a replica of the store has with what was acknowledged.
struct StoredCheck {
    private(set) var events = 0
    private(set) var lost = 0
    private(set) var doubled = 0
    private(set) var reordered = 0

    /// - Parameters:
    ///   - acknowledged: how many batches of each device were.
    ///   - partitions: so many are asked for one after the other.
    /// - Throws: when the replica does not answer.
    init(_ address: String, _ database: String, acknowledged: [Int: Int], partitions: Int) async throws {
        // Rows that servers would merge count as well.
        var counts: [Substring: Int] = [:]
        var newest: [Substring: Int] = [:]
        for partition in 0..<partitions {
            let text = try await Self.ask(
                address,
                """
                SELECT messageId FROM \(database).rows WHERE kind = 1 AND bitAnd(number, 63) = \(partition)
                ORDER BY number FORMAT TabSeparated
                """)
            for id in text.split(separator: "\n") {
                events += 1
                counts[id, default: 0] += 1
                guard counts[id] == 1 else {
                    doubled += 1
                    continue
                }
                let parts = id.split(separator: "-")
                guard parts.count == 3, let batch = Int(parts[1]), let event = Int(parts[2]) else { continue }
                let position = batch * Devices.events + event
                if position < newest[parts[0]] ?? -1 { reordered += 1 }
                newest[parts[0]] = max(newest[parts[0]] ?? -1, position)
            }
        }
        for (device, batches) in acknowledged {
            for batch in 0..<batches {
                for event in 0..<Devices.events where counts[Devices.messageId(device, batch, event)[...]] == nil {
                    lost += 1
                }
            }
        }
    }

    /// Asks a server of ClickHouse.
    static func ask(_ address: String, _ sql: String) async throws -> String {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(sql.utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return String(decoding: data, as: UTF8.self)
    }
}
