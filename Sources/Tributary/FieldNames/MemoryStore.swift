import Foundation
import TributaryJSON

/// Stores events in memory, in the form of analytics-swift. A client itself works in memory with `StorageMode.memory`.
///
/// Unchecked because the events are behind their lock.
public final class MemoryStore: DataStore, @unchecked Sendable {
    /// The configuration of a store.
    public struct Configuration: Sendable {
        let writeKey: String
        let maxItems: Int
        let maxFetchSize: Int

        /// - Parameters:
        ///   - writeKey: the write key in each batch.
        ///   - maxItems: the largest number of waiting events; the store drops the oldest first.
        ///   - maxFetchSize: bytes of a batch.
        public init(writeKey: String, maxItems: Int, maxFetchSize: Int) {
            self.writeKey = writeKey
            self.maxItems = max(1, maxItems)
            self.maxFetchSize = max(1, maxFetchSize)
        }
    }

    public typealias StoreConfiguration = Configuration

    private struct Item {
        let id: UUID
        let bytes: [UInt8]
    }

    private let configuration: Configuration
    private let items = LockBox<[Item]>([])

    public init(configuration: Configuration) { self.configuration = configuration }

    public var hasData: Bool { count > 0 }
    public var count: Int { items.withLock { $0.count } }
    public var transactionType: DataTransactionType { .data }

    public func reset() { items.withLock { $0 = [] } }

    public func append(data: any RawEvent) {
        let item = Item(id: UUID(), bytes: JSON.object(data.json).encoded())
        items.withLock { items in
            items.append(item)
            let excess = items.count - configuration.maxItems
            if excess > 0 { items.removeFirst(excess) }
        }
    }

    public func fetch(count: Int?, maxBytes: Int?, offset: Int = 0) -> DataResult? {
        let limit = min(maxBytes ?? .max, configuration.maxFetchSize)
        var size = 0
        let found = items.withLock { items in
            items.dropFirst(max(0, offset)).prefix(max(0, count ?? .max)).prefix { item in
                // The first event is always returned, however large. Otherwise it would block the others for ever.
                let fits = size == 0 || size + item.bytes.count <= limit
                size += item.bytes.count
                return fits
            }
        }
        guard !found.isEmpty else { return nil }
        return DataResult(data: body(of: found.map(\.bytes)), removable: found.map(\.id))
    }

    private func body(of events: [[UInt8]]) -> Data {
        let sentAt = ISO8601.string(date: Date())
        let envelope: JSON = ["sentAt": .string(sentAt), "writeKey": .string(configuration.writeKey)]
        var body = Data(#"{"batch":["#.utf8)
        for (position, event) in events.enumerated() {
            if position > 0 { body.append(UInt8(ascii: ",")) }
            body.append(contentsOf: event)
        }
        body.append(contentsOf: "],".utf8)
        body.append(contentsOf: envelope.encoded().dropFirst())
        return body
    }

    public func remove(data: [any Equatable]) {
        let ids = Set(data.compactMap { $0 as? UUID })
        items.withLock { $0.removeAll { ids.contains($0.id) } }
    }
}
