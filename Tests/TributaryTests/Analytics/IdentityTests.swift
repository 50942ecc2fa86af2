import Dispatch
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Identity")
struct IdentityTests {
    @Test("A new identity is readable at once and is on the next event")
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

    @Test("Traits of the same user are merged; another user begins without traits")
    func traits() {
        let client = Client()
        client.analytics.identify(userId: "u-1", traits: ["plan": "pro", "age": 40])
        client.analytics.identify(userId: "u-1")
        client.analytics.identify(traits: ["age": 41])
        #expect(client.analytics.userInfo.traits == ["plan": "pro", "age": 41])
        client.analytics.identify(userId: "u-2", traits: ["plan": "free"])
        #expect(client.analytics.userInfo.traits == ["plan": "free"])
    }

    @Test("An alias event has the old id")
    func alias() async {
        let client = Client()
        let anonymous = client.analytics.anonymousId
        client.analytics.alias(newId: "u-1")
        client.analytics.alias(newId: "u-2")
        await client.flushed()
        #expect(client.server.events.map { $0["previousId"]?.stringValue } == [anonymous, "u-1"])
        #expect(client.server.events.map { $0["userId"]?.stringValue } == ["u-1", "u-2"])
    }

    @Test("A reset forgets the user and makes a new anonymous id")
    func reset() {
        let client = Client()
        client.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        let before = client.analytics.anonymousId
        client.analytics.reset()
        #expect(client.analytics.userId == nil)
        #expect(client.analytics.userInfo.traits == [:])
        #expect(client.analytics.anonymousId != before)
    }

    @Test("The identity outlives the client")
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

    @Test("An alias after identify has the user id as the old id, and later events have the new one")
    func aliasAfterIdentify() async {
        let client = Client()
        client.analytics.identify(userId: "u-1")
        client.analytics.alias(newId: "u-2")
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.events[1]["previousId"] == "u-1")
        #expect(client.server.events.map { $0["userId"] } == ["u-1", "u-2", "u-2"])
        #expect(client.analytics.userId == "u-2")
    }

    @Test("An identity survives a kill right after identify, alias or reset")
    func killed() async throws {
        var folder = try TemporaryFolder()
        let steps: [(Analytics) -> Void] = [
            { $0.identify(userId: "u-1", traits: ["plan": "pro"]) }, { $0.alias(newId: "u-2") }, { $0.reset() },
        ]
        var clients: [Client] = []
        for step in steps {
            let client = Client(folder: folder.url)
            clients.append(client)
            step(client.analytics)
            folder = try folder.copy()
            let next = Client(folder: folder.url)
            clients.append(next)
            #expect(next.analytics.userInfo == client.analytics.userInfo)
            folder = try folder.copy()
        }
        #expect(clients.last?.analytics.userId == nil)
        for client in clients { await client.ended() }
    }

    @Test("An app's generator makes the first anonymous id and the one after each reset")
    func generator() {
        let count = LockBox(0)
        let client = Client { configuration in
            configuration.anonymousIdGenerator {
                count.withLock { count in
                    count += 1
                    return "mine-\(count)"
                }
            }
        }
        #expect(client.analytics.anonymousId == "mine-1")
        client.analytics.reset()
        #expect(client.analytics.anonymousId == "mine-2")
    }

    @Test("An observer gets the present user and then every change in order, until it is cancelled")
    func observation() async {
        let client = Client()
        let queue = DispatchQueue(label: "subscriber")
        let seen = LockBox<[String?]>([])
        let observation = client.analytics.observeUserInfo(on: queue) { info in
            seen.withLock { $0.append(info.userId) }
        }
        for number in 0..<100 { client.analytics.identify(userId: "u-\(number)") }
        queue.sync {}
        #expect(seen.withLock { $0 } == [nil] + (0..<100).map { "u-\($0)" })
        observation.cancel()
        client.analytics.reset()
        queue.sync {}
        #expect(seen.withLock { $0 }.count == 101)
    }

    @Test("A stream of user changes begins with the present user, and its end ends the observation")
    func stream() async {
        let client = Client()
        client.analytics.identify(userId: "u-1")
        var stream = client.analytics.userInfoUpdates.makeAsyncIterator()
        #expect(await stream.next()?.userId == "u-1")
        client.analytics.identify(userId: "u-2")
        client.analytics.reset()
        let latest = await stream.next()
        #expect(latest?.userId == nil && latest?.anonymousId == client.analytics.anonymousId)
    }
}
