import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Blank ids and names")
struct BlankTests {
    static let texts = ["", " ", "\t\n", "\u{3000}"]

    @Test("A call with a blank id or name changes nothing and is reported", arguments: texts)
    func calls(text: String) async {
        let client = Client()
        let analytics = client.analytics
        analytics.identify(userId: "u", traits: ["plan": "pro"])
        let user = analytics.userInfo
        analytics.identify(userId: text)
        analytics.identify(userId: text, traits: ["plan": "free"])
        analytics.alias(newId: text)
        analytics.group(groupId: text)
        analytics.track(name: text)
        analytics.screen(title: text)
        analytics.page(title: text)
        analytics.process(event: TrackEvent(event: text, properties: nil))
        analytics.process(event: GroupEvent(groupId: text, traits: nil))
        #expect(analytics.userInfo == user)
        analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.map { $0["type"]?.stringValue } == ["identify", "track"])
        #expect(analytics.counters.tracked == 2)
        #expect(analytics.counters.uploaded == 2)
        await client.diagnostics.wait(for: .invalidValue, count: 9)
        await client.reported(reason: "blank")
    }

    @Test("A generator that returns a blank id is reported, and the client makes an id", arguments: texts)
    func generator(text: String) async {
        let client = Client { $0.anonymousIdGenerator { text } }
        let first = client.analytics.anonymousId
        #expect(!first.isBlank)
        client.analytics.reset()
        #expect(!client.analytics.anonymousId.isBlank)
        #expect(client.analytics.anonymousId != first)
        await client.reported(reason: "blank")
    }
}
