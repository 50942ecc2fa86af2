import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Identity")
struct IdentityTests {
    @Test("who the user is shows at once and on the next event")
    func visible() async {
        let client = Client()
        let before = client.analytics.anonymousId
        client.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        #expect(client.analytics.userId == "u-1")
        #expect(client.analytics.traits()?["plan"] as? String == "pro")
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.events.map { $0["userId"] } == ["u-1", "u-1"])
        #expect(client.server.events.map { $0["anonymousId"]?.stringValue } == [before, before])
    }

    @Test("traits of the same user are merged, another user begins without any")
    func traits() {
        let client = Client()
        client.analytics.identify(userId: "u-1", traits: ["plan": "pro", "age": 40])
        client.analytics.identify(userId: "u-1")
        client.analytics.identify(traits: ["age": 41])
        #expect(client.analytics.userInfo.traits == ["plan": "pro", "age": 41])
        client.analytics.identify(userId: "u-2", traits: ["plan": "free"])
        #expect(client.analytics.userInfo.traits == ["plan": "free"])
    }

    @Test("an alias says who the user was")
    func alias() async {
        let client = Client()
        let anonymous = client.analytics.anonymousId
        client.analytics.alias(newId: "u-1")
        client.analytics.alias(newId: "u-2")
        await client.flushed()
        #expect(client.server.events.map { $0["previousId"]?.stringValue } == [anonymous, "u-1"])
        #expect(client.server.events.map { $0["userId"]?.stringValue } == ["u-1", "u-2"])
    }

    @Test("a reset forgets the user and begins a new anonymous one")
    func reset() {
        let client = Client()
        client.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        let before = client.analytics.anonymousId
        client.analytics.reset()
        #expect(client.analytics.userId == nil)
        #expect(client.analytics.userInfo.traits == [:])
        #expect(client.analytics.anonymousId != before)
    }

    @Test("identity outlives the client")
    func durable() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        let anonymous = first.analytics.anonymousId
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(second.analytics.userId == "u-1")
        #expect(second.analytics.anonymousId == anonymous)
        #expect(second.analytics.userInfo.traits == ["plan": "pro"])
        await second.ended()
    }
}
