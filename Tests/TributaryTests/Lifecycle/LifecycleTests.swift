import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Lifecycle events")
struct LifecycleTests {
    private func lifecycle(
        _ client: Client, _ version: String = "1.0", tracked: TrackedLifecycleEvent = .all
    ) -> Lifecycle {
        let lifecycle = Lifecycle(tracked: tracked, application: ApplicationVersion(version: version, build: "1"))
        client.analytics.add(plugin: lifecycle)
        return lifecycle
    }

    @Test("An installation is tracked once, and an update when the version changes")
    func launches() async throws {
        let folder = try TemporaryFolder()
        var told: [[String]] = []
        for version in ["1.0", "1.0", "1.1", "1.1"] {
            let client = Client(folder: folder.url)
            lifecycle(client, version).take(.launched())
            #expect(await client.flushed() == .sent)
            told.append(client.server.names)
            await client.ended()
        }
        #expect(
            told == [
                ["Application Installed", "Application Opened"], ["Application Opened"],
                ["Application Updated", "Application Opened"], ["Application Opened"],
            ])
    }

    @Test("Only the requested lifecycle events are tracked")
    func tracked() async throws {
        let client = Client()
        let lifecycle = lifecycle(client, tracked: [.applicationBackgrounded])
        for step in [LifecycleStep.launched(), .becameActive, .enteredBackground, .enteringForeground] {
            lifecycle.take(step)
        }
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Application Backgrounded"])
    }

    @Test("Equal kinds of tracked lifecycle events are one member of a set")
    func values() {
        #expect(Set([TrackedLifecycleEvent.all, .all, .none, [.applicationOpened]]).count == 3)
    }

    @Test("Going to the background sends the waiting events")
    func background() async {
        let client = Client { $0.flushAt(1000) }
        await client.processed()
        client.analytics.track(name: "A")
        lifecycle(client).take(.enteredBackground)
        await client.server.confirmed(2)
        #expect(client.server.names == ["A", "Application Backgrounded"])
    }

    @Test("Coming to the foreground fetches settings")
    func foreground() async {
        let client = Client()
        await client.processed()
        client.server.answerSettings(["integrations": ["New": true]])
        lifecycle(client).take(.enteringForeground)
        await client.server.requests(2)
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        #expect(client.analytics.settings()?.hasIntegration("New") == true)
    }

    @Test("Without consent a start is not remembered, so the installation is tracked after consent")
    func consent() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url) { $0.consent(.denied) }
        lifecycle(first).take(.launched())
        await first.ended()
        let second = Client(folder: folder.url)
        await withCheckedContinuation { done in second.analytics.setConsent(.granted) { done.resume() } }
        lifecycle(second).take(.launched())
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["Application Installed", "Application Opened"])
        await second.ended()
    }

    @Test("An app extension tracks no lifecycle, except that of a watch app")
    func extensions() {
        func program(_ path: String, _ point: String?) -> Program {
            Program(bundleIdentifier: "app", bundlePath: path, extensionPoint: point)
        }
        #expect(program("/var/App.app/PlugIns/Widget.appex", "com.apple.widgetkit-extension").isExtension)
        #expect(!program("/var/Watch.app/PlugIns/App.appex", "com.apple.watchkit").isExtension)
        #expect(!program("/var/App.app", nil).isExtension)
    }
}
