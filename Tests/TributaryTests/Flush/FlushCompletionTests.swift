import Dispatch
import TestSupport
import Testing

@testable import Tributary

@Suite("Plugins that say when their flush is done", .timeLimit(.minutes(30)))
struct FlushCompletionTests {
    /// Unchecked because what changes is behind the lock, and `analytics` is set once.
    private final class SlowService: DestinationPlugin, FlushCompletion, @unchecked Sendable {
        let type: PluginType
        let name = "Slow"
        let timeline = Timeline()
        weak var analytics: Analytics?
        private let state = LockBox<(group: DispatchGroup?, waiting: CheckedContinuation<Void, Never>?)>((nil, nil))
        private let done = LockBox(false)

        init(_ type: PluginType) { self.type = type }

        var isDone: Bool { done.withLock { $0 } }

        func flush(group: DispatchGroup) {
            group.enter()
            let waiting = state.withLock { state in
                state.group = group
                return state.waiting
            }
            waiting?.resume()
        }

        /// The plugin got the call.
        func told() async {
            await withCheckedContinuation { continuation in
                let isTold = state.withLock { state in
                    if state.group == nil { state.waiting = continuation }
                    return state.group != nil
                }
                if isTold { continuation.resume() }
            }
        }

        func finish() {
            done.withLock { $0 = true }
            state.withLock { $0.group }?.leave()
        }
    }

    @Test("A flush waits for FlushCompletion plugins", arguments: [PluginType.destination, .enrichment])
    func waitedFor(type: PluginType) async {
        let client = Client(settings: ["integrations": ["Segment.io": [:], "Slow": true]])
        let service = SlowService(type)
        client.analytics.add(plugin: service)
        client.analytics.track(name: "A")
        client.begin()
        async let wasDone = withCheckedContinuation { continuation in
            client.analytics.flush { continuation.resume(returning: service.isDone) }
        }
        await service.told()
        await client.server.confirmed(1)
        service.finish()
        #expect(await wasDone)
        await client.ended()
    }

    @Test("A FlushCompletion plugin that never finishes is named, and the flush ends")
    func neverDone() async {
        let client = Client()
        let service = SlowService(.enrichment)
        client.analytics.add(plugin: service)
        client.begin()
        async let flushed: Void = withCheckedContinuation { continuation in
            client.analytics.flush { continuation.resume() }
        }
        await service.told()
        await client.time.scheduled(in: Limits.pluginFlushTimeout)
        client.time.advance(by: Limits.pluginFlushTimeout)
        await flushed
        await client.reported(text: "has not finished its flush")
        #expect(client.diagnostics.all(.pluginFault).map(\.plugin) == ["Slow"])
        service.finish()
        await client.ended()
    }

    @Test("A destination without FlushCompletion is flushed and not waited for")
    func others() async {
        let client = Client(settings: ["integrations": ["Segment.io": [:], "D": true, "Held": true]])
        let (destination, held) = (TestDestination("D"), HeldDestination("Held"))
        client.analytics.add(plugin: destination)
        client.analytics.add(plugin: held)
        client.analytics.track(name: "A")
        client.begin()
        #expect(await client.analytics.flush(timeout: 3600) == .sent)
        held.open()
        await client.processed()
        #expect(destination.flushes == 1)
        await client.ended()
    }
}
