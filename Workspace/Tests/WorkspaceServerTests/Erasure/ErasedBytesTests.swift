import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Bytes of erased users") struct ErasedBytesTests {
    private static let users = 300

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func id(_ user: Int) -> String { "user-\(user)@example.com" }

    /// Makes thousands of events of many users in random order and size, so that pages are split and merged.
    private func fill(_ store: Store) async throws {
        for block in 0..<10 {
            let events = (0..<600).map { index in
                let number = block * 600 + index
                let user = id(number * 7_919 % Self.users)
                let filler = String(repeating: "x", count: number * 31 % 6_000)
                return StoredEvents.event(
                    "m-\(number)", userId: user, anonymousId: "device of " + user,
                    body: #"{"userId":"\#(user)","previousId":"old \#(user)","x":"\#(filler)"}"#)
            }
            let batch = IncomingBatch(source: 1, receivedAt: StoredEvents.noon, events: events)
            _ = try await store.write(
                [batch], through: JournalOffset(epoch: 1, sequence: UInt64(block + 1)), now: { StoredEvents.noon })
        }
    }

    @Test("No byte of an erased user is left in a file whose pages were split and merged")
    func pages() async throws {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        try await fill(store)
        for user in 0..<20 {
            let erased = id(user * 13)
            #expect(try await store.storage.erase(erased) == Erased(events: 20))
            #expect(try DataFiles.containing(erased, in: folder.path) == [])
        }
        #expect(try DataFiles.containing(id(1), in: folder.path) != [])
        try store.close()
    }

    @Test("The catalog forgets an event that only an erased user sent")
    func catalog() async throws {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        let own = StoredEvents.event(
            "own", name: "Greeting to Ana", userId: id(1),
            body: #"{"userId":"\#(id(1))","properties":{"phone of Ana":1}}"#)
        let batch = IncomingBatch(
            source: 1, receivedAt: StoredEvents.noon, events: [own, StoredEvents.event("other", userId: id(2))])
        _ = try await store.write([batch], through: JournalOffset(epoch: 1, sequence: 1), now: { 1 })
        #expect(try DataFiles.containing("phone of Ana", in: folder.path) != [])
        #expect(try await store.storage.erase(id(1)) == Erased(events: 1))
        for text in ["Greeting to Ana", "phone of Ana"] {
            #expect(try DataFiles.containing(text, in: folder.path) == [], "\(text)")
        }
        try store.close()
    }

    @Test("A user with more rows than one transaction deletes is erased as a whole")
    func steps() async throws {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        let count = Limits.rowsErasedAtOnce * 2 + 1
        let events = (0..<count).map { StoredEvents.event("m-\($0)", userId: id(1)) }
        let batch = IncomingBatch(source: 1, receivedAt: StoredEvents.noon, events: events)
        _ = try await store.write([batch], through: JournalOffset(epoch: 1, sequence: 1), now: { 1 })
        #expect(try await store.storage.erase(id(1)) == Erased(events: count))
        #expect(try await store.events(EventQuery()).rows.isEmpty)
        #expect(try DataFiles.containing(id(1), in: folder.path) == [])
        try store.close()
    }
}
