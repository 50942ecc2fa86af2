import Foundation
import TestSupport
import Testing
import Tributary

/// An app's store in the field's form.
private final class Listing: DataStore {
    struct Setup { var name = "a" }

    private var events: [any RawEvent] = []

    init(configuration: Setup) {}

    var hasData: Bool { !events.isEmpty }
    var count: Int { events.count }
    var transactionType: DataTransactionType { .data }
    func reset() { events = [] }
    func append(data: any RawEvent) { events.append(data) }
    func fetch(count: Int?, maxBytes: Int?, offset: Int) -> DataResult? {
        DataResult(data: Data(events.map { $0.toString() }.joined(separator: ",").utf8), removable: [0])
    }
    func remove(data: [ItemID]) { events = [] }
}

@Suite("Stores of events in the field's form")
struct StoresSnippet {
    @Test("An app's own store compiles and works on its own")
    func own() {
        let store: any DataStore = Listing(configuration: .init())
        store.append(data: TrackEvent(event: "A", properties: nil))
        #expect(store.count == 1)
        store.remove(data: store.fetch(count: nil, maxBytes: nil, offset: 0)?.removable ?? [])
        #expect(!store.hasData)
    }

    @Test("MemoryStore gives out batches of the protocol, within its bounds")
    func memory() throws {
        let store = MemoryStore(configuration: .init(writeKey: "K", maxItems: 3, maxFetchSize: 65))
        for name in ["A", "B", "C", "D"] { store.append(data: TrackEvent(event: name, properties: nil)) }
        #expect(store.count == 3)
        let result = try #require(store.fetch(count: nil, maxBytes: nil))
        let batch = try JSON.parse([UInt8](result.data ?? Data()))
        #expect(batch["batch"]?[0]?["event"] == "B")
        #expect(batch["writeKey"] == "K")
        #expect(batch["sentAt"]?.stringValue?.isEmpty == false)
        let events = (batch["batch"]?.elements ?? []).compactMap { $0["event"]?.stringValue }
        #expect(events == ["B", "C"])
        #expect(result.removable?.count == 2)
        store.remove(data: result.removable ?? [])
        #expect(store.count == 1)
        store.reset()
        #expect(store.fetch(count: nil, maxBytes: nil)?.data == nil)
    }
}
