#if os(Linux)
import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// A cleaner, a test or a user in the shell deletes files of a running client.
@Suite("Files of live plugins that are deleted under a running client")
struct DeletedLivePluginFilesTests {
    private static let key = "tributary/KEY"
    /// Each file that live plugins keep.
    private static let names = [
        "live-plugins.json", "live-plugins-previous.json", "live-plugins-quarantine.json", "live-plugins-storage.json",
        "live-plugins-lane-0.mark",
    ]
    /// A script that stores a value, and writes its version into each event.
    private static func script(_ version: Int) -> String {
        """
        class Stamp extends LivePlugin {
            track(event) {
                storage.setValue("name", storage.getValue("name") ?? event.event)
                event.context.bundle = \(version)
                return event
            }
        }
        analytics.add(new Stamp(LivePluginType.enrichment))
        """
    }

    private static func plugins() -> LivePlugins {
        LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(loadSeconds: 0.5))
    }

    /// A client that has written each file.
    private func running(_ folder: TemporaryFolder) async -> Client {
        let client = Deployment.client(Self.script(1), plugin: Self.plugins(), folder: folder.url)
        client.analytics.track(name: "First")
        await client.flushed()
        await client.deploy(version: 2, Self.script(2))
        await client.deploy(version: 3, "for (;;);", until: "is in quarantine")
        await client.flushed()
        return client
    }

    private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in Self.names {
            contents[name] = try Data(contentsOf: folder.url.appendingPathComponent("\(Self.key)/\(name)"))
        }
        return contents
    }

    @Test("Each file is written again with what memory has, and a diagnostic names it", arguments: names + [""])
    func deleted(name: String) async throws {
        let folder = try TemporaryFolder()
        let client = await running(folder)
        let before = try contents(folder)
        try folder.delete(name.isEmpty ? Self.key : "\(Self.key)/\(name)")
        #expect(await client.flushed() == .sent)
        #expect(try contents(folder) == before)
        let names = name.isEmpty ? Self.names : [name]
        for name in names { await client.reported(text: name) }
        let reports = client.diagnostics.all(.storage).filter { $0.reason == .recovered }.map(\.message)
        #expect(reports.contains { report in names.allSatisfy(report.contains) })
        for file in Self.names {
            let path = folder.url.appendingPathComponent("\(Self.key)/\(file)").path
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
        await client.ended()
        // The next process knows all of it.
        let next = Deployment.client(version: 3, "", status: 503, plugin: Self.plugins(), folder: folder.url)
        next.analytics.track(name: "Next")
        await next.flushed()
        #expect(next.bundles == [2])
        await next.ended()
        let stored = try #require(try contents(folder)["live-plugins-storage.json"])
        #expect(String(decoding: stored, as: UTF8.self) == #"{"name":"First"}"#)
    }

    @Test("A crash after the deletion is noticed, because the mark is written again")
    func mark() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("KEY")
        let bundle = BundleIdentity(version: "1", sha256: "00")
        let marker = RunMarker(folder: KeptFolder(place), name: "lane-0")
        try marker.begin(bundle)
        #expect(!marker.restore())
        try folder.delete("KEY")
        #expect(marker.restore())
        #expect(!marker.restore())
        marker.enter(.flush)
        #expect(
            try RunMarker(folder: KeptFolder(place), name: "lane-0").examine() == .init(bundle: bundle, count: 1))
        marker.leave()
        // While a file is in the folder's place, the mark waits for the next look.
        try folder.delete("KEY")
        try Data().write(to: place)
        #expect(!marker.restore())
        try FileManager.default.removeItem(at: place)
        #expect(marker.restore())
    }

    @Test("A file that was set aside as damaged, and values that consent has deleted, do not come back")
    func gone() async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("\(Self.key)/live-plugins-storage.json")
        let first = Deployment.client(Self.script(1), plugin: Self.plugins(), folder: folder.url)
        first.analytics.track(name: "First")
        await first.flushed()
        await first.ended()
        try Data("{".utf8).write(to: place)
        let client = Deployment.client(Self.script(1), plugin: Self.plugins(), folder: folder.url)
        await client.flushed()
        await client.reported(text: "live-plugins-storage.json is damaged")
        await client.flushed()
        #expect(!FileManager.default.fileExists(atPath: place.path))
        client.analytics.track(name: "Second")
        await client.flushed()
        #expect(FileManager.default.fileExists(atPath: place.path))
        await withCheckedContinuation { done in client.analytics.setConsent(.denied) { done.resume() } }
        await client.flushed()
        #expect(!FileManager.default.fileExists(atPath: place.path))
        await client.ended()
    }
}
#endif
