import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat
@testable import Tributary

/// Middleware calls `next` after its own call returned, and the process may end in between.
@Suite("A late call of next")
struct LateNextTests {
    /// Keeps the events whose names begin with "late".
    private final class Holder: Sendable {
        private let kept = LockBox<[(name: String, call: @Sendable () -> Void)]>([])

        var middleware: Spy {
            Spy { [self] context, next in
                guard let name = (context.payload as? TrackPayload)?.event else { return next(context) }
                guard name.hasPrefix("late") else { return next(context) }
                let next = Handed((next, context))
                kept.withLock { $0.append((name, { next.value.0(next.value.1) })) }
            }
        }

        var names: [String] { kept.withLock { $0.map(\.name) } }

        func release() {
            let calls = kept.exchange([])
            for (_, call) in calls { call() }
        }
    }

    private func client(
        _ folder: TemporaryFolder?, _ holder: Holder?, server: TestServer = TestServer(),
        _ set: @escaping (AnalyticsConfiguration) -> Void = { _ in }
    ) -> CompatClient {
        CompatClient(["integrations": ["A": [:]]], server: server, folder: folder?.url) { config in
            if let holder { config.sourceMiddleware = [holder.middleware] }
            set(config)
        }
    }

    private func confirmed(_ client: CompatClient) async {
        await client.flushed()
        // The client stores its place in the inbox once a second.
        client.time.advance(by: 1)
        await client.processed()
    }

    @Test("After a crash an event whose middleware had not called next goes through middleware again, and arrives once")
    func death() async throws {
        let (folder, holder) = (try TemporaryFolder(), Holder())
        let first = client(folder, holder)
        for name in ["early 1", "late", "early 2"] { first.analytics.track(name) }
        await confirmed(first)
        #expect(first.server.names == ["early 1", "early 2"])
        let died = try folder.copy()
        holder.release()
        await first.flushed()
        #expect(first.server.names == ["early 1", "early 2", "late"])
        let original = first.server.events.last?["messageId"]
        await first.ended()
        let second = client(died, nil)
        second.analytics.track("new")
        await second.flushed()
        #expect(second.server.names.sorted() == ["late", "new"])
        #expect(second.server.events.first { $0["event"] == "late" }?["messageId"] == original)
        await confirmed(second)
        await second.ended()
        let third = client(died, nil)
        await third.flushed()
        #expect(third.server.names.isEmpty)
        await third.ended()
    }

    @Test(
        "An event that was only processed, and one whose process dies right after next, arrive once",
        arguments: [false, true])
    func rightAway(isDecided: Bool) async throws {
        let (folder, holder) = (try TemporaryFolder(), Holder())
        let recording = RecordingIntegration()
        let first = client(folder, holder)
        for name in ["late 1", "early", "late 2"] { first.analytics.track(name) }
        await first.processed()
        if isDecided { holder.release() }
        if isDecided { await first.processed() }
        let died = try folder.copy()
        await first.ended()
        let again = Holder()
        let second = client(died, again) { $0.use(TestFactory("A", recording)) }
        await second.flushed()
        again.release()
        await second.flushed()
        #expect(second.server.names.sorted() == ["early", "late 1", "late 2"])
        // The destinations of the dead process had dealt with the events that it had removed.
        let expected: Set<String> = isDecided ? ["flush"] : ["track late 1", "track late 2", "flush"]
        #expect(Set(recording.calls) == expected)
        await confirmed(second)
        await second.ended()
        let third = client(died, nil)
        await third.flushed()
        #expect(third.server.names.isEmpty)
        await third.ended()
    }

    /// Copies of a client's files, each with the events that had been tracked by then.
    private final class Moments: Sendable {
        let tracked = LockBox<[String]>([])
        let all = LockBox<[(folder: TemporaryFolder, tracked: [String])]>([])

        func note(_ folder: TemporaryFolder) {
            guard let copy = try? folder.copy() else { return }
            all.withLock { $0.append((copy, tracked.withLock { $0 })) }
        }
    }

    @Test("Each tracked event arrives once, whenever the process dies", arguments: [1, 2, 3])
    func everyMoment(seed: UInt64) async throws {
        let (folder, holder, moments) = (try TemporaryFolder(), Holder(), Moments())
        let client = CompatClient(folder: folder.url) { config in
            // The process may also die in the middle of middleware. Middleware runs on the executor, so no other record
            // is written meanwhile.
            let dying = Spy { context, next in
                if context.eventType == .track { moments.note(folder) }
                next(context)
            }
            config.sourceMiddleware = [dying, holder.middleware]
            // Events that were sent would be missing in the copies.
            config.flushAt = 10_000
        }
        await client.processed()
        let queue = client.analytics.pipeline.executor.queue
        for step in 0..<6 {
            queue.sync {
                for number in 0..<3 {
                    let name = (UInt64(number + step) * 7 + seed) % 3 == 0 ? "early" : "late"
                    let unique = "\(name) \(step)-\(number)"
                    client.analytics.track(unique)
                    moments.tracked.withLock { $0.append(unique) }
                }
            }
            queue.sync { moments.note(folder) }
            if (UInt64(step) + seed) % 2 == 0 { holder.release() }
            if (UInt64(step) + seed) % 3 == 0 { client.time.advance(by: 1) }
            for _ in 0..<3 { queue.sync { moments.note(folder) } }
        }
        await client.ended()
        for (number, moment) in moments.all.withLock({ $0 }).enumerated() {
            let again = Holder()
            let second = self.client(moment.folder, number % 2 == 0 ? again : nil)
            await second.processed()
            again.release()
            await second.flushed()
            let rest = (second.analytics.eventQueue.unprocessed, second.analytics.eventQueue.unsent, again.names)
            #expect(second.server.names.sorted() == moment.tracked.sorted(), "moment \(number), left: \(rest)")
            #expect(Set(second.server.events.compactMap { $0["messageId"] }).count == moment.tracked.count)
            await second.ended()
        }
        #expect(moments.all.withLock { $0.count } >= 6 * 7)
    }

    @Test("An undecided event waits through any number of launches and blocks no other event")
    func launches() async throws {
        let (folder, server) = (try TemporaryFolder(), TestServer())
        for launch in 0..<4 {
            let holder = Holder()
            let client = client(folder, holder, server: server)
            if launch == 0 { client.analytics.track("late") }
            for number in 0..<100 { client.analytics.track("\(launch)-\(number)") }
            await confirmed(client)
            #expect(holder.names == ["late"])
            // Sent events are removed: only the undecided event and its copy are left.
            #expect(client.analytics.eventQueue.inbox.count <= 2)
            #expect(server.events.count == (launch + 1) * 100)
            await client.ended()
        }
        let last = client(folder, nil, server: server)
        await last.flushed()
        #expect(server.names.last == "late")
        #expect(server.names.count == 401)
        await last.ended()
    }

    @Test("Many undecided events cost no more than the events that are tracked meanwhile, and keep their order")
    func many() async throws {
        let (folder, holder) = (try TemporaryFolder(), Holder())
        let first = client(folder, holder)
        for number in 0..<300 {
            first.analytics.track("late \(number)")
            first.analytics.track("early \(number)")
        }
        await confirmed(first)
        #expect(first.server.names == (0..<300).map { "early \($0)" })
        for number in 300..<900 { first.analytics.track("early \(number)") }
        await confirmed(first)
        let written = first.analytics.eventQueue.inbox.end
        #expect(written <= 2 * 1200 + 300)
        let died = try folder.copy()
        await first.ended()
        let second = client(died, nil)
        await second.flushed()
        #expect(second.server.names == (0..<300).map { "late \($0)" })
        await second.ended()
    }

    @Test("An undecided event does not return after a purge, in this process or a later one")
    func purge() async throws {
        let (folder, holder) = (try TemporaryFolder(), Holder())
        let first = client(folder, holder)
        first.analytics.track("late")
        await confirmed(first)
        await withCheckedContinuation { done in first.analytics.purgeStorage { done.resume() } }
        holder.release()
        first.analytics.track("after")
        await confirmed(first)
        #expect(first.server.names == ["after"])
        await first.ended()
        let second = client(folder, nil)
        await second.flushed()
        #expect(second.server.names.isEmpty)
        await second.ended()
    }

    @Test("Events beyond a thousand undecided ones wait in memory, the limit is reported once, and all events arrive")
    func bound() async throws {
        let (folder, holder) = (try TemporaryFolder(), Holder())
        let first = client(folder, holder) { $0.maxQueueSize = 100_000 }
        for number in 0..<1010 { first.analytics.track("late \(number)") }
        await first.processed()
        await first.diagnostics.wait(text: "events wait for middleware to call next")
        #expect(first.diagnostics.all(.storage).count == 1)
        let died = try folder.copy()
        holder.release()
        await first.processed()
        await first.flushed()
        #expect(Set(first.server.names).count == 1010)
        await first.ended()
        let second = client(died, nil) { $0.maxQueueSize = 100_000 }
        await second.flushed()
        #expect(Set(second.server.names).isSuperset(of: (0..<1000).map { "late \($0)" }))
        await second.ended()
    }

    @Test(
        "Closures of an undecided call are applied when it goes on, and after a crash the event is not sent without them"
    )
    func closures() async throws {
        let (folder, holder) = (try TemporaryFolder(), Holder())
        let first = client(folder, holder)
        first.analytics.track(
            name: "late", properties: nil,
            enrichments: [
                { event in
                    var event = event
                    event?.context = ["enriched": true]
                    return event
                }
            ])
        await confirmed(first)
        let died = try folder.copy()
        holder.release()
        await first.flushed()
        await first.flushed()
        #expect(first.server.events.first?["context"]?["enriched"] == true)
        await first.ended()
        let second = client(died, nil)
        await second.flushed()
        #expect(second.server.names.isEmpty)
        await second.ended()
    }

    @Test("A next that is released without a call drops the event for good")
    func letGo() async throws {
        let folder = try TemporaryFolder()
        let kept = LockBox<[SEGMiddlewareNext]>([])
        let first = CompatClient(folder: folder.url) { config in
            config.sourceMiddleware = [
                Spy { context, next in
                    if context.eventType == .track { kept.withLock { $0.append(next) } } else { next(context) }
                }
            ]
        }
        first.analytics.track("a")
        await first.processed()
        kept.withLock { $0.removeAll() }
        await confirmed(first)
        #expect(first.drops(by: "Spy") == 1)
        await first.ended()
        let second = client(folder, nil)
        await second.flushed()
        #expect(second.server.names.isEmpty)
        await second.ended()
    }

    @Test("An event counts as processed once, when its middleware has decided")
    func counters() async throws {
        let holder = Holder()
        let client = client(nil, holder) { $0.use(TestFactory("A", RecordingIntegration())) }
        for name in ["late 1", "early", "late 2"] { client.analytics.track(name) }
        await client.processed()
        #expect(client.analytics.counters.processed == 1)
        holder.release()
        await client.processed()
        await client.processed()
        #expect(client.analytics.counters.processed == 3)
        await client.ended()
    }
}
