import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("Waiting for the start", .timeLimit(.minutes(30)))
struct StartTests {
    /// Waits on a thread of its own, and tells what the plugin had been told when the wait was over.
    private func updates(of plugin: Recorder, behind client: Client) async -> [UpdateType] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                client.analytics.waitUntilStarted()
                client.analytics.performBetweenEvents { continuation.resume(returning: plugin.updates) }
            }
        }
    }

    @Test("waitUntilStarted ends when plugins have the settings")
    func started() async {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server)
        let plugin = Recorder()
        client.analytics.add(plugin: plugin)
        async let updates = updates(of: plugin, behind: client)
        await client.time.scheduled(in: 10)
        client.time.advance(by: 10)
        #expect(await updates == [.initial])
        #expect(client.analytics.settings() != nil)
        await client.ended()
    }

    @Test("waitUntilStarted on the main thread lets other work run there")
    @MainActor
    func mainThread() async {
        let client = Client()
        // The start needs the clock, and the clock is moved by another thread.
        Thread.detachNewThread { client.begin() }
        Self.wait(for: client.analytics)
        #expect(client.analytics.settings() != nil)
        await client.ended()
    }

    @MainActor
    private static func wait(for analytics: Analytics) { analytics.waitUntilStarted() }

    @Test("waitUntilStarted ends when the client ends")
    func ended() async {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server)
        let plugin = Recorder()
        client.analytics.add(plugin: plugin)
        async let updates = updates(of: plugin, behind: client)
        await client.ended()
        #expect(await updates == [])
        client.analytics.waitUntilStarted()  // and afterwards there is nothing to wait for
    }

    @Test("waitUntilStarted in a plugin returns at once and reports why")
    func plugin() async {
        let client = Client()
        client.analytics.add(
            plugin: Recorder { [analytics = client.analytics] event in
                analytics.waitUntilStarted()
                return event
            })
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        await client.reported(text: "waitUntilStarted()")
        #expect(client.server.names == ["A"])
    }
}
