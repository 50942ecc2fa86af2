import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("An app that requires settings")
struct RequiredSettingsTests {
    private static func rules(_ name: String) -> JSON {
        ["integrations": ["Segment.io": true], "middlewareSettings": ["name": .string(name)]]
    }

    @Test("Nothing leaves before settings came once, however long that takes, and then every event leaves once")
    func waits() async {
        let server = TestServer()
        server.answerSettings(.failure(TransportError("no network")))
        let client = Client(server: server) { $0.requiresSettings(true) }
        let destination = TestDestination("Segment.io-beside")
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "A")
        await client.reported(text: "events wait, because the app requires settings")
        client.time.advance(by: 3_600)
        await client.reported(text: "events wait, because the app requires settings")
        client.analytics.track(name: "B")
        #expect(server.names.isEmpty)
        #expect(client.analytics.settings() == nil)
        #expect(client.analytics.counters.processed == 0)
        server.answerSettings(Self.rules("mine"))
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        await client.flushed()
        #expect(server.names == ["A", "B"])
        #expect(client.analytics.counters.processedWithoutSettings == 0)
        await client.ended()
    }

    @Test("It asks for settings again by itself, more and more slowly")
    func retries() async {
        let server = TestServer()
        server.answerSettings(.failure(TransportError("no network")))
        let client = Client(server: server) { $0.requiresSettings(true) }
        client.analytics.track(name: "A")
        await client.time.scheduled(in: 5)
        server.answerSettings(Self.rules("mine"))
        client.time.advance(by: 5)
        await client.flushed()
        #expect(server.names == ["A"])
        #expect((0..<7).map(SettingsPace.retries.pause) == [5, 10, 20, 40, 60, 60, 60])
        #expect(SettingsPace.retries.pause(after: .max) == 60)
        await client.ended()
    }

    @Test("The settings of an earlier launch count") func cached() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerSettings(Self.rules("first"))
        let first = Client(server: server, folder: folder.url) { $0.requiresSettings(true) }
        first.analytics.track(name: "A")
        await first.flushed()
        await first.ended()
        server.answerSettings(.failure(TransportError("no network")))
        let second = Client(server: server, folder: folder.url) { $0.requiresSettings(true) }
        second.analytics.track(name: "B")
        await second.flushed()
        #expect(server.names == ["A", "B"])
        #expect(second.analytics.settings()?.middlewareSettings?["name"] == "first")
        #expect(second.analytics.counters.processedWithoutSettings == 0)
        await second.ended()
    }

    @Test("Default settings of the app are no settings of the workspace") func defaults() async {
        let server = TestServer()
        server.answerSettings(.success(TransportResponse(status: 503)))
        let client = Client(server: server) {
            $0.requiresSettings(true).defaultSettings(Settings(writeKey: "KEY"))
        }
        client.analytics.track(name: "A")
        await client.reported(text: "events wait, because the app requires settings")
        #expect(client.analytics.settings() == nil)
        #expect(client.analytics.deliveryState.obstacle?.kind == .starting)
        await client.ended()
    }

    @Test("Without the option, events go with default settings, and are counted") func counted() async {
        let server = TestServer()
        server.answerSettings(.success(TransportResponse(status: 503)))
        let client = Client(server: server)
        client.analytics.track(name: "A")
        client.analytics.track(name: "B")
        await client.processed()
        #expect(client.analytics.counters.processedWithoutSettings == 2)
        server.answerSettings(Self.rules("mine"))
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        client.analytics.track(name: "C")
        await client.processed()
        #expect(client.analytics.counters.processed == 3)
        #expect(client.analytics.counters.processedWithoutSettings == 2)
        var health = HealthTotals(client.analytics.counters, since: EventCounters(), stuck: [:], waiting: 0).delivery
        #expect(health.json["withoutSettings"] == 2)
        health.add(DeliveryHealth(health.json))
        #expect(health.withoutSettings == 4)
        await client.ended()
    }
}
