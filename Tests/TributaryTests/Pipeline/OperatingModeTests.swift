import Dispatch
import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Synchronous mode")
struct OperatingModeTests {
    /// A client that has begun to process.
    private func begun(_ plugins: [any Plugin] = []) async -> Client {
        let client = Client { $0.operatingMode(.synchronous) }
        for plugin in plugins { client.analytics.add(plugin: plugin) }
        await client.processed()
        // A turn that is under way could still take the first event; after it, one more may be queued.
        for _ in 0..<2 {
            await withCheckedContinuation { done in client.analytics.pipeline.executor.perform { done.resume() } }
        }
        return client
    }

    @Test("In synchronous mode plugins have seen the event, on the caller's thread, when the call returns")
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

    @Test("In synchronous mode events are processed before the next call of any kind")
    func allCalls() async {
        let plugin = Watching()
        let client = await begun([plugin])
        client.analytics.identify(userId: "u")
        #expect(client.analytics.counters.processed == 1)
        client.analytics.process(event: TrackEvent(event: "B", properties: nil))
        #expect(client.analytics.counters.processed == 2)
    }

    @Test("In synchronous mode an event of a plugin is processed behind the event that it saw")
    func fromPlugin() async {
        let plugin = Watching(tracks: ["A": "From A"])
        let client = await begun([plugin])
        callOnThread { client.analytics.track(name: "A") }
        #expect(plugin.seen.map(\.name) == ["A", "From A"])
        #expect(client.analytics.counters.processed == 2)
    }

    @Test("In synchronous mode events wait for settings on disk and are processed first")
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

    @Test("In synchronous mode each thread's events keep their order")
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

    @Test("In synchronous mode destinations and after plugins are done when the call returns")
    func destinations() async {
        let (after, destination) = (Recorder(.after), TestDestination("D"))
        let client = await begun([after, destination])
        client.analytics.manuallyEnableDestination(plugin: destination)
        await client.processed()
        for number in 1...20 {
            callOnThread { client.analytics.track(name: "E\(number)") }
            #expect(destination.received.count == number)
            #expect((after.seen.last as? TrackEvent)?.event == "E\(number)")
        }
    }

    @Test("In synchronous mode an event of a destination is processed behind the event that it has")
    func fromDestination() async {
        // Unchecked because `analytics` is set once, before events come, and there is nothing else.
        final class Echo: DestinationPlugin, @unchecked Sendable {
            let type = PluginType.destination
            let timeline = Timeline()
            weak var analytics: Analytics?
            func track(event: TrackEvent) -> TrackEvent? {
                if event.event == "A" {
                    analytics?.track(name: "Echo")
                    analytics?.flush()
                }
                return event
            }
        }
        let destination = Echo()
        let client = await begun([destination])
        client.analytics.manuallyEnableDestination(plugin: destination)
        await client.processed()
        callOnThread { client.analytics.track(name: "A") }
        await client.flushed()
        #expect(client.server.names == ["A", "Echo"])
    }

    @Test("In synchronous mode events are at the server when flush() returns")
    func flushing() {
        let client = Client {
            $0.operatingMode(.synchronous).flushAt(.max).flushInterval(0).timeSource(SystemTimeSource())
        }
        for number in 0..<30 { client.analytics.track(name: "E\(number)") }
        let isCompleted = LockBox(false)
        callOnThread { client.analytics.flush { isCompleted.withLock { $0 = true } } }
        #expect(client.server.names == (0..<30).map { "E\($0)" })
        #expect(isCompleted.withLock { $0 })
    }

    @Test("In synchronous mode flush() sends events although the server fails at first")
    func failing() {
        let client = Client {
            $0.operatingMode(.synchronous).timeSource(SystemTimeSource())
                .httpConfig(HttpConfig(backoffConfig: BackoffConfig(baseBackoffInterval: 0.01)))
        }
        client.server.answerNext(503, 503)
        client.analytics.track(name: "A")
        callOnThread { client.analytics.flush() }
        #expect(client.server.names == ["A"])
    }

    @Test("In synchronous mode flush() returns when its time is over, and the events stay")
    func timeIsOver() async {
        let client = await begun()
        client.server.answerBatches { _ in .failure(TransportError("no network")) }
        client.analytics.track(name: "A")
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            client.analytics.flush()
            isDone.signal()
        }.start()
        while client.diagnostics.all(.delivery).allSatisfy({ !$0.message.contains("flush() returns") }) {
            client.time.advance(by: 1)
            await Task.yield()
        }
        await client.reported(text: "flush() returns while 1 events wait")
        isDone.wait()
        #expect(client.analytics.hasUnsentEvents)
    }

    @Test(
        "In synchronous mode going to the background does not block without a connection", .timeLimit(.minutes(30)))
    func background() async {
        let client = await begun()
        client.server.answerBatches { _ in .failure(TransportError("no network")) }
        client.analytics.track(name: "A")
        let lifecycle = Lifecycle(tracked: .none, application: ApplicationVersion(version: "1.0", build: "1"))
        client.analytics.add(plugin: lifecycle)
        // Time stands still, so a call that waited for the end of `flushTimeout` would not return.
        callOnThread { lifecycle.take(.enteredBackground) }
        #expect(client.analytics.hasUnsentEvents)
    }

    @Test("In synchronous mode four queues with many flushes deliver each event once, in order")
    func flushedMeanwhile() async {
        let client = Client { $0.flushAt(50).storageMode(.memory(100_000)) }
        await client.processed()
        DispatchQueue.concurrentPerform(iterations: 5) { queue in
            for number in 0..<5000 {
                if queue < 4 {
                    client.analytics.track(name: "\(queue)-\(number)")
                } else if number.isMultiple(of: 25) {
                    client.analytics.flush()
                }
            }
        }
        #expect(await client.flushed() == .sent)
        let names = client.server.names
        #expect(names.count == 20_000)
        for queue in 0..<4 {
            let own = names.filter { $0.hasPrefix("\(queue)-") }
            let isComplete = own == (0..<5000).map { "\(queue)-\($0)" }
            #expect(isComplete)
        }
    }

    @Test("By default events are processed on the client's own thread")
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

/// Notes each event and its thread, and tracks another event for it.
private final class Watching: EventPlugin, @unchecked Sendable {
    // Unchecked because the list is behind its lock, and `analytics` is set before any event comes.
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
