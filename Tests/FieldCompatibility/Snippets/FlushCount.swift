import TestSupport
import Testing
import Tributary

@Suite("A flush policy that counts")
struct FlushCountSnippet {
    @Test("Adding a count policy changes flushAt, and flushAt changes the policy")
    func count() async {
        let client = Client()
        #expect(client.analytics.flushAt == 20)
        let policy = CountBasedFlushPolicy(count: 23)
        client.analytics.add(flushPolicy: policy)
        #expect(client.analytics.flushAt == 23)
        client.analytics.flushAt = 1
        #expect(policy.desiredCount == 1)
        await client.processed()
        client.analytics.track(name: "A")
        await client.server.requests(2)
        #expect(client.server.names == ["A"])
    }
}
