import TestSupport
import Testing

@testable import Tributary

@Suite("The pipeline")
struct PipelineTests {
    /// Calls for a turn of the pipeline many times over, then for work between two events, all from the first event.
    ///
    /// Unchecked because it is only called on the client's executor; the test reads it after a barrier.
    private final class Crowd: Plugin, @unchecked Sendable {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        private var seen = 0
        private(set) var seenWhenServed: Int?

        func execute(event: BaseEvent) -> BaseEvent? {
            seen += 1
            guard seen == 1 else { return event }
            for _ in 0..<100 { analytics?.reset() }
            analytics?.performBetweenEvents { self.seenWhenServed = self.seen }
            return event
        }
    }

    @Test("Callers that wait for a backlog do not delay work between events")
    func turns() async throws {
        let client = Client()
        let crowd = Crowd()
        client.analytics.add(plugin: crowd)
        for number in 0..<5000 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        #expect(client.analytics.counters.processed == 5000)
        #expect(try #require(crowd.seenWhenServed) <= 3 * 64)
    }

    @Test("A client ends after the event in the timeline, and the next one begins behind it")
    func end() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        let analytics = first.analytics
        let names = LockBox<[String]>([])
        await withCheckedContinuation { continuation in
            let plugin = Recorder { [weak analytics] event in
                let count = names.withLock { names in
                    names.append(event.json["event"]?.stringValue ?? "")
                    return names.count
                }
                if count == 3 { analytics?.shutdown { continuation.resume() } }
                return event
            }
            analytics.add(plugin: plugin)
            for number in 1...10 { analytics.track(name: "E\(number)") }
            first.begin()
        }
        #expect(names.withLock { $0 } == ["E1", "E2", "E3"])
        let second = Client(folder: folder.url)
        #expect(await second.flushed() == .sent)
        #expect((first.server.names + second.server.names) == (1...10).map { "E\($0)" })
        await second.ended()
    }

    @Test("Waiting events are counted exactly")
    func unprocessed() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        let counts = LockBox<[Int]>([])
        let analytics = client.analytics
        client.analytics.add(
            plugin: Recorder { [weak analytics] event in
                counts.withLock { $0.append(analytics?.pipeline.unprocessed ?? -1) }
                return event
            })
        for number in 0..<200 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        #expect(counts.withLock { $0 } == Array((1...200).reversed()))
        await client.ended()
    }
}
