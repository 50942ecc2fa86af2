import TestSupport
import Testing
import Tributary
import TributaryInspector
import TributaryJSON

@testable import AnalyticsLive

/// What the inspector in the app sees of live plugins and signals.
@Suite("Live plugins and signals in the inspector", .timeLimit(.minutes(30)))
struct InspectorTests {
    @Test("It names the version that processes events, and the next one after a deployment")
    func version() async {
        let client = Deployment.client(version: 3, Deployment.stamp(3))
        let inspector = ClientInspector(client.analytics, inReleaseBuilds: true)
        client.analytics.track(name: "A")
        await client.flushed()
        await client.executed()
        #expect(inspector.state.client?.livePlugins == .deployed(version: 3))
        #expect(inspector.state.text.contains("live plugins: version 3"))
        #expect(inspector.log.events.first?.steps.contains { $0.plugin == "Stamp" && $0.outcome == "changed" } == true)
        await client.deploy(version: 4, Deployment.stamp(4))
        client.analytics.track(name: "B")
        await client.flushed()
        await client.executed()
        #expect(inspector.state.client?.livePlugins == .deployed(version: 4))
        await client.ended()
    }

    @Test("It shows signals as scripts get them, and none after it was stopped")
    func signals() async {
        let world = SignalWorld()
        let inspector = ClientInspector(world.client.analytics, inReleaseBuilds: true)
        world.signals.emit(NavigationSignal(data: NavigationData(action: .entering, screen: "Basket")))
        await world.settled()
        #expect(inspector.log.signals.map { $0.type } == ["navigation"])
        #expect(inspector.log.signals.first?.data.contains("Basket") == true)
        #expect(inspector.state.text.contains("signals: 1\n"), "\(inspector.state.text)")
        inspector.stop()
        world.signals.emit(NavigationSignal(data: NavigationData(action: .entering, screen: "Login")))
        await world.settled()
        #expect(inspector.log.recordedSignals == 1)
    }
}
