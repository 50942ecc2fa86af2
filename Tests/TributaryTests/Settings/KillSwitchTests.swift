import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The switch of collection in the settings")
struct KillSwitchTests {
    private let off: JSON = ["integrations": [:], "collection": ["enabled": false]]

    private func refresh(_ client: Client) async {
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
    }

    @Test("Settings switch collection off and on again")
    func offAndOn() async {
        let client = Client()
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        client.server.answerSettings(off)
        await refresh(client)
        client.analytics.track(name: "B")
        #expect(client.analytics.counters.tracked == 1)
        client.server.answerSettings(["integrations": [:]])
        await refresh(client)
        client.analytics.track(name: "C")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A", "C"])
    }

    @Test("With collection off waiting events stay, and the reason is reported")
    func backlog() async {
        let client = Client()
        let server = client.server
        client.analytics.track(name: "Before")
        await refresh(client)  // the first settings are there, and processing has not begun
        server.answerSettings(off)
        await refresh(client)
        client.begin()
        client.analytics.track(name: "After")
        await client.executed()
        #expect(client.analytics.deliveryState.obstacle?.kind == .switchedOff)
        #expect(server.events.isEmpty)
        server.answerSettings(["integrations": [:]])
        await refresh(client)
        #expect(await client.flushed() == .sent)
        #expect(server.names == ["Before"])
    }

    @Test("A flush answers while collection is off, and the events stay for later")
    func flushWhileOff() async {
        let client = Client()
        let server = client.server
        client.analytics.track(name: "Before")
        await refresh(client)
        server.answerSettings(off)
        await refresh(client)
        client.begin()
        await withCheckedContinuation { done in client.analytics.flush { done.resume() } }
        #expect(server.events.isEmpty)
        #expect(client.analytics.hasUnsentEvents)
        server.answerSettings(["integrations": [:]])
        await refresh(client)
        #expect(await client.flushed() == .sent)
        #expect(server.names == ["Before"])
    }

    @Test("A flush that waits for a plugin answers when the settings switch collection off")
    func offDuringFlush() async {
        let client = Client { $0.waitingTimeout(1e12) }
        await refresh(client)
        let plugin = Waiting()
        client.analytics.add(plugin: plugin)
        client.analytics.pauseEventProcessing(plugin: plugin)
        client.analytics.track(name: "A")
        client.begin()
        client.server.answerSettings(off)
        await withCheckedContinuation { done in
            client.analytics.flush { done.resume() }
            client.analytics.refreshSettings {}
        }
        #expect(client.server.events.isEmpty)
        #expect(client.analytics.hasUnsentEvents)
    }

    private final class Waiting: WaitingPlugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
    }
}
