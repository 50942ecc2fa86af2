import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Settings")
struct SettingsTests {
    @Test("A silent settings host delays delivery by its timeout only")
    func silentHost() async {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server)
        client.analytics.track(name: "A")
        await client.time.scheduled(in: 10)
        client.time.advance(by: 9)
        #expect(client.analytics.settings() == nil)
        #expect(server.names.isEmpty)
        client.time.advance(by: 1)
        await server.confirmed(1)
        #expect(server.names == ["A"])
    }

    @Test("A document with a surplus comma is accepted with a diagnostic, and kept")
    func trailingComma() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"integrations": {"A": {"id": 9007199254740993, "list": [1, 2,],},},}"#
        let server = TestServer()
        server.answerSettings(.success(TransportResponse(status: 200, body: [UInt8](text.utf8))))
        let client = Client(server: server, folder: folder.url)
        await client.processed()
        #expect(client.analytics.settings()?.integrations?["A"] == ["id": 9_007_199_254_740_993, "list": [1, 2]])
        await client.reported(text: "could be read")
        await client.ended()
        server.answerSettings(.success(TransportResponse(status: 500)))
        let next = Client(server: server, folder: folder.url)
        await next.processed()
        #expect(next.analytics.settings()?.integrations?["A"]?["list"] == [1, 2])
        await next.ended()
    }

    @Test(
        "A document that Foundation cannot read either is refused",
        arguments: [#"{"integrations": {"A": 1,,}}"#, #"{integrations: {}}"#, #"{"integrations": {}} x"#])
    func notSettings(text: String) async {
        let server = TestServer()
        server.answerSettings(.success(TransportResponse(status: 200, body: [UInt8](text.utf8))))
        let client = Client(server: server)
        await client.processed()
        await client.reported(text: "not JSON")
        #expect(client.analytics.settings() == Settings())
    }

    @Test("A destination that the app enabled is in the settings, also in later ones")
    func manuallyEnabled() async {
        let client = Client(settings: ["integrations": ["Segment.io": true, "Off": false]])
        let (new, off) = (TestDestination("New"), TestDestination("Off"))
        client.analytics.add(plugin: new)
        client.analytics.add(plugin: off)
        await client.processed()
        #expect(client.analytics.settings()?.hasIntegration("New") == false)
        client.analytics.manuallyEnableDestination(plugin: new)
        client.analytics.manuallyEnableDestination(plugin: off)
        #expect(client.analytics.settings()?.integrations == ["Segment.io": true, "Off": true, "New": true])
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        await client.processed()
        #expect(client.analytics.settings()?.hasIntegration("New") == true)
        client.analytics.track(name: "A")
        await client.processed()
        #expect(new.received.count == 1 && off.received.count == 1)
        client.analytics.remove(plugin: new)
        await client.processed()
        #expect(client.analytics.settings()?.hasIntegration("New") == false)
    }

    @Test("With immediate settings a single event waits for its flush policy")
    func soon() async {
        let client = Client()
        client.analytics.track(name: "A")
        await client.processed()
        await client.time.scheduled(in: 30)
        #expect(client.server.names.isEmpty)
        client.time.advance(by: 30)
        await client.server.confirmed(1)
    }

    @Test("Without an answer the settings of the last launch apply")
    func cached() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerSettings(["integrations": ["A": ["token": "t"]]])
        let first = Client(server: server, folder: folder.url)
        first.analytics.track(name: "X")
        await first.flushed()
        await first.ended()
        server.answerSettings(.failure(TransportError("no network")))
        let second = Client(server: server, folder: folder.url)
        second.analytics.track(name: "Y")
        await second.processed()
        #expect(second.analytics.settings()?.integrations?["A"]?["token"] == "t")
        await second.ended()
    }

    @Test("The ETag is kept with the settings, so an unchanged document is not sent again")
    func tagAcrossLaunches() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerSettings(
            .success(
                TransportResponse(
                    status: 200, headers: ["ETag": "\"v1\""], body: [UInt8](#"{"integrations":{"A":true}}"#.utf8))))
        let first = Client(server: server, folder: folder.url)
        await first.processed()
        await first.ended()
        server.answerSettings(.success(TransportResponse(status: 304)))
        let second = Client(server: server, folder: folder.url)
        second.analytics.track(name: "X")
        #expect(await second.flushed() == .sent)
        #expect(server.settingsRequests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
        #expect(second.analytics.settings()?.hasIntegration("A") == true)
        await second.ended()
        // The tag of other settings is of no use.
        let file = folder.url.appendingPathComponent("tributary/KEY/settings.json")
        try Data(#"{"integrations":{"B":true}}"#.utf8).write(to: file)
        let third = Client(server: server, folder: folder.url)
        await third.processed()
        #expect(server.settingsRequests.last?.headers["If-None-Match"] == nil)
        await third.ended()
    }

    @Test("A 304 to a client without settings is treated as no answer")
    func unknownUnchanged() async {
        let server = TestServer()
        server.answerSettings(.success(TransportResponse(status: 304)))
        let client = Client(server: server)
        client.analytics.track(name: "X")
        #expect(await client.flushed() == .sent)
        #expect(client.analytics.settings() == Settings())
    }

    @Test("Damaged settings on disk are reported, and the defaults apply")
    func damagedCache() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        await first.flushed()
        await first.ended()
        let file = folder.url.appendingPathComponent("tributary/KEY/settings.json")
        try "{\"integrations\":".write(to: file, atomically: true, encoding: .utf8)
        let server = TestServer()
        server.answerSettings(.failure(TransportError("no network")))
        let diagnostics = DiagnosticLog()  // from the error handler, which is there before anything can happen
        let second = Client(server: server, folder: folder.url) { configuration in
            configuration.errorHandler { error in
                if let diagnostic = (error as? AnalyticsError)?.diagnostic { diagnostics.add(diagnostic) }
            }
        }
        second.analytics.track(name: "A")
        #expect(await second.flushed() == .sent)
        #expect(second.analytics.settings() == Settings())
        await diagnostics.wait(for: .storage, count: 1)
        await second.ended()
    }

    @Test(
        "An answer that is not settings is refused as a whole",
        arguments: ["<html>sign in</html>", "[]", "{}", #"{"integrations":1}"#, #"{"integrations":{}"#])
    func refused(body: String) async {
        let server = TestServer()
        server.answerSettings(["integrations": ["A": true]])
        let client = Client(server: server)
        await client.processed()
        server.answerSettings(.success(TransportResponse(status: 200, body: [UInt8](body.utf8))))
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        #expect(client.analytics.settings()?.hasIntegration("A") == true)
    }

    @Test("Settings are fetched at the interval, with the ETag")
    func interval() async {
        let server = TestServer()
        server.answerSettings(
            .success(
                TransportResponse(
                    status: 200, headers: ["ETag": "\"v1\""], body: [UInt8](#"{"integrations":{"A":true}}"#.utf8))))
        let client = Client(server: server) { $0.settingsInterval(60) }
        let plugin = Recorder()
        client.analytics.add(plugin: plugin)
        await client.processed()
        server.answerSettings(.success(TransportResponse(status: 304)))
        client.time.advance(by: 60)
        await server.requests(2)
        #expect(server.settingsRequests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        #expect(client.analytics.settings()?.hasIntegration("A") == true)
        #expect(plugin.updates == [.initial])
    }

    @Test("Settings are fetched more often while the settings ask for that")
    func shorterInterval() async {
        let quick: JSON = ["integrations": [:], "settingsInterval": 90]
        let client = Client(settings: quick) { $0.settingsInterval(200) }
        await client.time.scheduled(in: 90)
        client.server.answerSettings(["integrations": [:]])
        client.time.advance(by: 90)
        await client.server.requests(2)
        await client.time.scheduled(in: 200)
        client.time.advance(by: 199)
        client.server.answerSettings(quick)
        #expect(client.server.settingsRequests.count == 2)
        client.time.advance(by: 1)
        await client.server.requests(3)
        await client.time.scheduled(in: 90)
    }

    @Test("After a failure settings are fetched at the app's interval, and after a 304 at the settings' interval again")
    func intervalAfterFailure() async {
        let server = TestServer()
        let body = [UInt8](#"{"integrations":{},"settingsInterval":90}"#.utf8)
        server.answerSettings(.success(TransportResponse(status: 200, headers: ["ETag": "\"v1\""], body: body)))
        let client = Client(server: server) { $0.settingsInterval(200) }
        await client.time.scheduled(in: 90)
        server.answerSettings(.success(TransportResponse(status: 503)))
        client.time.advance(by: 90)
        await client.time.scheduled(in: 200)
        server.answerSettings(.success(TransportResponse(status: 304)))
        client.time.advance(by: 200)
        await client.time.scheduled(in: 90)
        #expect(server.settingsRequests.count == 3)
    }

    @Test("A fetch of settings pauses no events, also without an answer")
    func refreshing() async {
        let client = Client()
        await client.processed()
        client.server.silenceSettings()
        client.analytics.refreshSettings()
        await client.server.requests(2)
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
    }

    @Test("A plugin that pauses processing later is also waited for with a limit")
    func waitingLater() async {
        let client = Client { $0.waitingTimeout(30) }
        let plugin = Waiter()
        await client.processed()
        client.analytics.pauseEventProcessing(plugin: plugin)
        client.analytics.track(name: "A")
        await client.executed()
        #expect(client.analytics.counters.processed == 0)
        client.time.advance(by: 30)
        await client.reported(.pluginFault, count: 1)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
    }

    @Test("A plugin that asks to wait holds events until it is ready")
    func waiting() async {
        let client = Client()
        let plugin = Waiter()
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        await plugin.waits()
        #expect(client.analytics.counters.processed == 0)
        #expect(client.analytics.deliveryState.obstacle?.kind == .starting)
        client.analytics.resumeEventProcessing(plugin: plugin)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
    }

    @Test("A plugin that is never ready holds events until its time is over")
    func waitingForEver() async {
        let client = Client { $0.waitingTimeout(30) }
        let plugin = Waiter()
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        await plugin.waits()
        client.time.advance(by: 30)
        await client.reported(.pluginFault, count: 1)
        #expect(await client.flushed() == .sent)
    }
}

/// Asks to be waited for as soon as settings are known.
///
/// Unchecked because the continuation is behind its lock; everything else is called by the client's executor.
private final class Waiter: WaitingPlugin, @unchecked Sendable {
    private struct State {
        var hasPaused = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    let type = PluginType.utility
    weak var analytics: Analytics?
    private let state = LockBox(State())

    func update(settings: Settings) {
        analytics?.pauseEventProcessing(plugin: self)
        state.withLock { state in
            state.hasPaused = true
            state.continuation?.resume()
        }
    }

    func waits() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.hasPaused { continuation.resume() } else { state.continuation = continuation }
            }
        }
    }
}
