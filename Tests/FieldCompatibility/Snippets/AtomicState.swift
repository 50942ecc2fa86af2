import Dispatch
import TestSupport
import Testing
import Tributary

/// A plugin whose counter the app reads from its own threads.
private final class Counter: Plugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
    @Atomic var seen = 0
    @Atomic var names: [String] = []

    func execute<T: RawEvent>(event: T?) -> T? {
        _seen.mutate { $0 += 1 }
        if let track = event as? TrackEvent { _names.mutate { $0.append(track.event) } }
        return event
    }
}

@Suite("State behind @Atomic")
struct AtomicStateSnippet {
    @Test("An app reads an @Atomic value that a plugin changes")
    func plugin() async {
        let client = Client()
        let counter = Counter()
        client.analytics.add(plugin: counter)
        client.analytics.track(name: "A")
        client.analytics.track(name: "B")
        _ = await client.flushed()
        #expect(counter.seen == 2)
        #expect(counter.names == ["A", "B"])
    }

    @Test("No change of an @Atomic value from many threads is lost")
    func threads() {
        let total = Atomic(wrappedValue: 0)
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in total.mutate { $0 += 1 } }
        #expect(total.wrappedValue == 1000)
        total.set(5)
        #expect(total.wrappedValue == 5)
    }
}
