import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("A store of the app's own")
struct EventStoreTests {
    /// Keeps everything in memory, and outlives the clients that use it.
    private final class Shelf: EventStore {
        struct Failure: Error {}

        private struct State {
            var lists: [EventStoreList: [EventStoreRecord]] = [:]
            var values: [String: [UInt8]] = [:]
            var isBroken = false
        }

        private let state = LockBox(State())

        func count(of list: EventStoreList) -> Int { state.withLock { $0.lists[list]?.count ?? 0 } }

        /// Whether the bytes of a text are anywhere in it.
        func holds(_ text: String) -> Bool {
            let bytes = Data(text.utf8)
            return state.withLock { state in
                state.lists.values.joined().contains { Data($0.bytes).range(of: bytes) != nil }
                    || state.values.values.contains { Data($0).range(of: bytes) != nil }
            }
        }

        func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

        func append(_ record: EventStoreRecord, to list: EventStoreList) throws {
            try state.withLock { state in
                guard !state.isBroken else { throw Failure() }
                state.lists[list, default: []].append(record)
            }
        }

        func read(
            _ list: EventStoreList, after sequence: UInt64, maxBytes: Int, maxCount: Int
        ) throws -> [EventStoreRecord] {
            state.withLock { state in
                Array((state.lists[list] ?? []).filter { $0.sequence > sequence }.prefix(max(1, min(maxCount, 3))))
            }
        }

        func remove(from list: EventStoreList, through sequence: UInt64) throws {
            try state.withLock { state in
                guard !state.isBroken else { throw Failure() }
                state.lists[list]?.removeAll { $0.sequence <= sequence }
            }
        }

        func summary(of list: EventStoreList) throws -> EventStoreSummary {
            state.withLock { state in
                let records = state.lists[list] ?? []
                return EventStoreSummary(
                    count: records.count, bytes: records.reduce(0) { $0 + $1.bytes.count }, last: records.last)
            }
        }

        func value(forKey key: String) throws -> [UInt8]? { state.withLock { $0.values[key] } }

        func setValue(_ value: [UInt8], forKey key: String) throws {
            try state.withLock { state in
                guard !state.isBroken else { throw Failure() }
                state.values[key] = value
            }
        }
    }

    @Test("Events and identity in an app's store outlive the client, and events arrive once in order")
    func restart() async throws {
        let shelf = Shelf()
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent) { $0.storageMode(.custom(shelf)) }
        first.analytics.identify(userId: "u-1")
        for number in 1...10 { first.analytics.track(name: "E\(number)") }
        #expect(first.analytics.storageState.survivesProcess)
        await first.ended()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let second = Client(server: server) { $0.storageMode(.custom(shelf)) }
        #expect(second.analytics.userId == "u-1")
        let seen = Recorder()
        second.analytics.add(plugin: seen)
        await second.processed()
        #expect(seen.seen.count == 11)
        await second.ended()
        let third = Client { $0.storageMode(.custom(shelf)) }
        let seenAgain = Recorder()
        third.analytics.add(plugin: seenAgain)
        #expect(await third.flushed() == .sent)
        #expect(third.server.names == (1...10).map { "E\($0)" })
        #expect(seenAgain.seen.isEmpty)
        #expect(!third.analytics.hasUnsentEvents)
        await third.ended()
    }

    @Test("While an app's store fails, events wait in memory and are stored later in order")
    func failing() async throws {
        let shelf = Shelf()
        let silent = TestServer()
        silent.silenceSettings()
        let client = Client(server: silent) { $0.storageMode(.custom(shelf)).settingsTimeout(1e9) }
        client.analytics.track(name: "E1")
        shelf.setBroken(true)
        for number in 2...5 { client.analytics.track(name: "E\(number)") }
        #expect(client.analytics.storageState.reason == .failure)
        shelf.setBroken(false)
        client.time.advance(by: FailoverLog.retryInterval)
        await client.reported(reason: "recovered")
        client.analytics.track(name: "E6")
        await client.ended()
        let next = Client { $0.storageMode(.custom(shelf)) }
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == (1...6).map { "E\($0)" })
        await next.ended()
    }

    @Test("Events that a store cannot delete are not sent, and are deleted later")
    func purging() async throws {
        let shelf = Shelf()
        let server = TestServer()
        server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let client = Client(server: server) { $0.storageMode(.custom(shelf)) }
        for number in 1...5 { client.analytics.track(name: "given up \(number)") }
        await client.processed()
        shelf.setBroken(true)
        await withCheckedContinuation { done in client.analytics.purgeStorage { done.resume() } }
        #expect(client.analytics.storageState.waitingEvents == 0)
        client.analytics.track(name: "after")
        await client.processed()
        #expect(shelf.holds("given up 5"))
        shelf.setBroken(false)
        client.time.advance(by: FailoverLog.retryInterval)
        await withCheckedContinuation { done in client.analytics.eventQueue.directory.host.queue.async { done.resume() }
        }
        #expect(!shelf.holds("given up"))
        await client.ended()
        let next = Client(time: ManualTime(later: 7200)) { $0.storageMode(.custom(shelf)) }
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == ["after"])
        await next.ended()
    }

    @Test("A purged event whose request is under way counts once", arguments: [200, 503])
    func purgedWhileSending(status: Int) async {
        let shelf = Shelf()
        let server = TestServer()
        let transport = HeldTransport(server)
        let client = Client(server: server) { $0.storageMode(.custom(shelf)).transport(transport) }
        for number in 1...3 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        client.analytics.flush()
        await transport.batches(1)
        await withCheckedContinuation { done in client.analytics.purgeStorage { done.resume() } }
        transport.answer(0, status)
        await client.attempted()
        let counters = client.analytics.counters
        #expect(counters.tracked == 3)
        #expect(counters.uploaded == (status == 200 ? 3 : 0))
        #expect(counters.deleted == (status == 200 ? 0 : 3))
        await client.ended()
    }

    private func decide(_ client: Client, _ state: ConsentState) async {
        await withCheckedContinuation { done in client.analytics.setConsent(state) { done.resume() } }
    }

    @Test("Pending events and the decision are in the app's store")
    func pending() async {
        let shelf = Shelf()
        let first = Client { $0.storageMode(.custom(shelf)).consent(.pending) }
        first.analytics.identify(userId: "u-1")
        for number in 1...10 { first.analytics.track(name: "E\(number)") }
        await first.processed()
        #expect(first.server.events.isEmpty)
        await first.ended()
        #expect(shelf.count(of: .inbox) == 0 && shelf.count(of: .pending) == 11)
        let second = Client { $0.storageMode(.custom(shelf)).consent(.pending) }
        #expect(second.analytics.userId == "u-1")
        second.analytics.track(name: "E11")
        await decide(second, .granted)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == (1...11).map { "E\($0)" })
        await second.ended()
        #expect(shelf.count(of: .pending) == 0)
        let third = Client { $0.storageMode(.custom(shelf)).consent(.pending) }
        #expect(third.analytics.consent == .granted && third.analytics.userId == "u-1")
        await third.ended()
    }

    @Test("A refusal deletes pending events and the identity from the app's store")
    func refused() async {
        let shelf = Shelf()
        let first = Client { $0.storageMode(.custom(shelf)).consent(.pending) }
        first.analytics.identify(userId: "hidden-user")
        first.analytics.track(name: "hidden-event")
        let anonymousId = first.analytics.anonymousId
        #expect(shelf.holds("hidden-user") && shelf.holds("hidden-event") && shelf.holds(anonymousId))
        await decide(first, .denied)
        #expect(!shelf.holds("hidden-user") && !shelf.holds("hidden-event") && !shelf.holds(anonymousId))
        await first.ended()
        let second = Client { $0.storageMode(.custom(shelf)) }
        #expect(second.analytics.consent == .denied && second.analytics.userId == nil)
        await second.ended()
    }
}
