import TestSupport
import Testing
import Tributary

/// Ids of the app's own making.
private final class Numbered: AnonymousIdGenerator {
    var last = 0

    func newAnonymousId() -> String {
        last += 1
        return "blah-\(last)"
    }
}

@Suite("A generator of anonymous ids")
struct AnonymousIdsSnippet {
    @Test("An app's own generator makes the first anonymous id and the one after each reset")
    func own() async {
        let client = Client { $0.anonymousIdGenerator(Numbered()) }
        #expect(client.analytics.anonymousId == "blah-1")
        client.analytics.reset()
        #expect(client.analytics.anonymousId == "blah-2")
    }

    @Test("The library's generator makes different ids")
    func standard() {
        let generator: AnonymousIdGenerator = SegmentAnonymousId()
        #expect(generator.newAnonymousId() != generator.newAnonymousId())
        let client = Client { $0.anonymousIdGenerator(SegmentAnonymousId()) }
        #expect(client.analytics.anonymousId.count == 36)
    }
}
