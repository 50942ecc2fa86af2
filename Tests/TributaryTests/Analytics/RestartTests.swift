import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Events of an ended client")
struct RestartTests {
    @Test("Events that were never processed arrive from the next client, in order")
    func unprocessed() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent, folder: folder.url)
        for number in 1...50 { first.analytics.track(name: "E\(number)") }
        await first.ended()
        let second = Client(folder: folder.url)
        second.analytics.track(name: "E51")
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == (1...51).map { "E\($0)" })
        await second.ended()
    }

    @Test("Events that were processed and not sent go out once from the next client, without a new event")
    func unsent() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url) { $0.identifiers(Identifiers(random: { 0.999 })) }
        first.server.answerBatches { _ in .success(TransportResponse(status: 503)) }
        let seen = Recorder()
        first.analytics.add(plugin: seen)
        for number in 1...50 { first.analytics.track(name: "E\(number)") }
        await first.attempted()
        await first.ended()
        let second = Client(folder: folder.url)
        let seenAgain = Recorder()
        second.analytics.add(plugin: seenAgain)
        second.begin()
        await second.attempted()
        #expect(second.server.batches.isEmpty)  // the pause of the first client goes on
        second.time.advance(by: 1)
        await second.server.requests(2)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == (1...50).map { "E\($0)" })
        #expect(seen.seen.count == 50)
        #expect(seenAgain.seen.isEmpty)
        await second.ended()
    }

    @Test("Delivered events are not delivered again after a restart")
    func delivered() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        for number in 1...50 { first.analytics.track(name: "E\(number)") }
        #expect(await first.flushed() == .sent)
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(await second.flushed() == .sent)
        #expect(second.server.events.isEmpty)
        #expect(!second.analytics.hasUnsentEvents)
        await second.ended()
    }

    @Test("An event whose closures are gone with the process is not sent, and is counted")
    func closures() async throws {
        let folder = try TemporaryFolder()
        let silent = TestServer()
        silent.silenceSettings()
        let first = Client(server: silent, folder: folder.url)
        first.analytics.track(name: "A", properties: nil as [String: Any]?, enrichments: [{ $0 }])
        first.analytics.track(name: "B")
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(await second.flushed() == .dropped(reasons: ["closures_gone": 1]))
        #expect(second.server.names == ["B"])
        #expect(second.analytics.counters.lost == ["closures_gone": 1])
        await second.ended()
    }

    @Test("Two clients with one write key work side by side")
    func secondClient() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        let second = Client(folder: folder.url)
        first.analytics.track(name: "A")
        second.analytics.track(name: "B")
        #expect(await first.flushed() == .sent)
        #expect(await second.flushed() == .sent)
        #expect(first.server.names == ["A"])
        #expect(second.server.names == ["B"])
        await first.ended()
        await second.ended()
    }
}
