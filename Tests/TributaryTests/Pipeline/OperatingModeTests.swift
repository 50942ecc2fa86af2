import Dispatch
import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Events on the caller's time")
struct OperatingModeTests {
    /// A client that has begun to process.
    private func begun(_ plugins: [any Plugin] = []) async -> Client {
        let client = Client { $0.operatingMode(.synchronous) }
        for plugin in plugins { client.analytics.add(plugin: plugin) }
        await client.processed()
        // A turn that is under way could still take the first event; after it, one more may be queued.
        for _ in 0..<2 {
            await withCheckedContinuation { done in client.analytics.pipeline.perform { done.resume() } }
        }
        return client
    }

    @Test("have gone through the plugins, on the caller's thread, when the call returns")
    func onCaller() async {
        let plugin = Watching()
        let client = await begun([plugin])
        #expect(client.analytics.operatingMode == .synchronous)
        callOnThread { client.analytics.track(name: "A") }
        #expect(plugin.seen.map(\.name) == ["A"])
        #expect(plugin.seen.map(\.isOnCaller) == [true])
        #expect(client.analytics.counters.processed == 1)
        #expect(client.analytics.outbox.count == 1)
    }

    @Test("are there before the next call of any other kind, too")
    func allCalls() async {
        let plugin = Watching()
        let client = await begun([plugin])
        client.analytics.identify(userId: "u")
        #expect(client.analytics.counters.processed == 1)
        client.analytics.process(event: TrackEvent(event: "B", properties: nil))
        #expect(client.analytics.counters.processed == 2)
    }

    @Test("of a plugin follow on the event that it sees, and both are done")
    func fromPlugin() async {
        let plugin = Watching(tracks: ["A": "From A"])
        let client = await begun([plugin])
        callOnThread { client.analytics.track(name: "A") }
        #expect(plugin.seen.map(\.name) == ["A", "From A"])
        #expect(client.analytics.counters.processed == 2)
    }

    @Test("wait on disk while settings are not known, and come first then")
    func beforeSettings() async {
        let server = TestServer()
        server.silenceSettings()
        let plugin = Watching()
        let client = Client(server: server) { $0.operatingMode(.synchronous) }
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        #expect(plugin.seen.isEmpty)
        await client.time.scheduled(in: 10)
        client.time.advance(by: 10)
        await client.processed()
        callOnThread { client.analytics.track(name: "B") }
        #expect(plugin.seen.map(\.name) == ["A", "B"])
    }

    @Test("of many threads keep each thread's order")
    func threads() async {
        let plugin = Watching()
        let client = await begun([plugin])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<50 { client.analytics.track(name: "\(thread)-\(number)") }
        }
        #expect(plugin.seen.count == 400)
        for thread in 0..<8 {
            let own = plugin.seen.map(\.name).filter { $0.hasPrefix("\(thread)-") }
            #expect(own == (0..<50).map { "\(thread)-\($0)" })
        }
    }

    @Test("are on the client's own time unless it is asked for")
    func asynchronous() async {
        let plugin = Watching()
        let client = Client()
        client.analytics.add(plugin: plugin)
        await client.processed()
        #expect(client.analytics.operatingMode == .asynchronous)
        callOnThread { client.analytics.track(name: "A") }
        await client.processed()
        #expect(plugin.seen.map(\.isOnCaller) == [false])
    }

    /// Calls on a thread of its own, which nobody else's work can be on, and waits for the call.
    private func callOnThread(_ work: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            Thread.current.threadDictionary[Watching.callerKey] = true
            work()
            done.signal()
        }.start()
        done.wait()
    }
}

/// Notes what comes by and on which thread, and tracks in answer to it.
private final class Watching: EventPlugin, @unchecked Sendable {
    // Unchecked: the list is behind its lock, `analytics` is set before anything comes by.
    struct Seen: Sendable {
        let name: String
        let isOnCaller: Bool
    }

    static let callerKey = "caller"

    let type = PluginType.enrichment
    weak var analytics: Analytics?
    private let tracks: [String: String]
    private let list = LockBox<[Seen]>([])
    var seen: [Seen] { list.withLock { $0 } }

    init(tracks: [String: String] = [:]) { self.tracks = tracks }

    func track(event: TrackEvent) -> TrackEvent? {
        list.withLock {
            $0.append(Seen(name: event.event, isOnCaller: Thread.current.threadDictionary[Self.callerKey] != nil))
        }
        if let next = tracks[event.event] { analytics?.track(name: next) }
        return event
    }
}
