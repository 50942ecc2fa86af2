import Dispatch
import TestSupport
import Testing
import Tributary

@Suite("Four queues that track while the app flushes")
struct FourQueuesSnippet {
    @Test("Four queues that track and flush at once lose and repeat no event")
    func stress() async {
        let client = Client { $0.storageMode(.memory(30_000)) }
        await client.processed()
        let analytics = client.analytics
        DispatchQueue.concurrentPerform(iterations: 4) { queue in
            for number in 0..<5000 {
                analytics.track(name: "\(queue)-\(number)")
                if number.isMultiple(of: 500) { analytics.flush() }
            }
        }
        _ = await client.flushed()
        #expect(client.server.names.count == 20_000)
        #expect(Set(client.server.names).count == 20_000)
    }
}
