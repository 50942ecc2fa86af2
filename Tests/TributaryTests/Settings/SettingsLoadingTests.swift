import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Default settings of an app")
struct SettingsLoadingTests {
    @Test("Default settings from a file apply while the host is silent")
    func file() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("own.json")
        try Data(#"{"integrations":{"Segment.io":{},"D":{"level":3}}}"#.utf8).write(to: url)
        let settings = try #require(Settings.load(from: url))
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server) { $0.defaultSettings(settings).settingsTimeout(1) }
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "A")
        await client.time.scheduled(in: 1)
        client.time.advance(by: 1)
        #expect(await client.flushed() == .sent)
        #expect(destination.received.count == 1)
        let options: [String: Int]? = client.analytics.settings()?.integrationSettings(forKey: "D")
        #expect(options == ["level": 3])
    }

    @Test("Default settings load from a bundle, with and without the ending")
    func bundle() throws {
        let folder = try TemporaryFolder()
        try Data(#"{"integrations":{"D":true}}"#.utf8).write(to: folder.url.appendingPathComponent("own.json"))
        let bundle = try #require(Bundle(path: folder.url.path))
        #expect(Settings.load(resource: "own.json", bundle: bundle)?.hasIntegration("D") == true)
        #expect(Settings.load(resource: "own", bundle: bundle)?.hasIntegration("D") == true)
        #expect(Settings.load(resource: "other", bundle: bundle) == nil)
    }

    @Test("Content that is not settings loads as nil", arguments: ["", "[]", "{", "7"])
    func unusable(text: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("own.json")
        try Data(text.utf8).write(to: url)
        #expect(Settings.load(from: url) == nil)
        #expect(Settings.load(from: nil) == nil)
        #expect(Settings.load(from: folder.url) == nil)
        #expect(Settings.load(from: URL(string: "https://example.com/own.json")) == nil)
    }

    @Test("Default settings name the server for events")
    func server() async {
        let server = TestServer()
        server.silenceSettings()
        let settings = Settings(writeKey: "KEY", apiHost: "http://other.test/v9")
        let configuration = Configuration(writeKey: "KEY").cdnHost("http://server.test/v1").settingsTimeout(1)
            .transport(server).gzip(false).migration(.off).storageMode(.memory(10)).defaultSettings(settings)
        let time = ManualTime()
        let analytics = Analytics(configuration: configuration.timeSource(time))
        analytics.track(name: "A")
        await time.scheduled(in: 1)
        time.advance(by: 1)
        #expect(await analytics.flush(timeout: 3600) == .sent)
        #expect(server.batches.first?.url.absoluteString == "http://other.test/v9/b")
    }
}
