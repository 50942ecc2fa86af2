import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Staged bundles")
struct BundleRolloutTests {
    private func function(percentage: JSON, stagedURL: JSON = "http://server.test/v1/projects/KEY/live-plugins/2.js")
        -> JSON
    {
        [
            "version": 1, "downloadURL": .string(Deployment.url),
            "staged": ["version": 2, "downloadURL": stagedURL, "sha256": "AB", "percentage": percentage],
        ]
    }

    @Test("A device inside the percentage runs the staged version")
    func chosen() {
        func version(_ percentage: JSON, _ device: String?) -> Int? {
            BundleReference(edgeFunction: function(percentage: percentage), device: device)?.version
        }
        #expect(version(100, "d") == 2)
        #expect(version(0, "d") == 1)
        #expect(version(100, nil) == 1)
        #expect(version("all", "d") == 1)
        let share = (0..<1_000).count { version(30, "device-\($0)") == 2 }
        #expect((250...350).contains(share))
        let staged = BundleReference(edgeFunction: function(percentage: 100), device: "d")
        #expect(staged?.sha256 == "ab")
        #expect(staged?.url?.lastPathComponent == "2.js")
    }

    @Test(
        "An unreadable staged version leaves the version for all devices in effect",
        arguments: [7, "ftp://x/y.js"] as [JSON])
    func unreadable(url: JSON) {
        let reference = BundleReference(edgeFunction: function(percentage: 100, stagedURL: url), device: "d")
        #expect(reference?.version == 1)
        #expect(BundleReference(edgeFunction: ["staged": 1], device: "d") == nil)
    }

    @Test("Devices and workspace choose the same devices for a staged version")
    func golden() {
        let chosen = (0..<20).filter { RolloutShare.has("device-\($0)", of: .livePlugins, version: 7, percentage: 30) }
        #expect(chosen == [2, 3, 4, 6, 7, 8, 9, 13, 16, 17, 18])
    }

    @Test("A client chooses the version of its bundle by its anonymous id", arguments: [true, false])
    func client(isChosen: Bool) async {
        let id = isChosen ? "device-2" : "device-5"
        let server = TestServer()
        var settings = Deployment.settings(version: 1)
        settings["edgeFunction"]?["staged"] = [
            "version": 7, "downloadURL": "http://server.test/v1/projects/KEY/live-plugins/7.js", "percentage": 30,
        ]
        server.answerSettings(settings)
        server.answerBundle(Deployment.stamp(1))
        let client = Client(server: server, folder: nil) { $0.anonymousIdGenerator { id } }
        client.analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        client.analytics.track(name: "A")
        await client.flushed()
        let bundles = server.allRequests.map(\.url.lastPathComponent).filter { $0.hasSuffix(".js") }
        #expect(bundles == [isChosen ? "7.js" : "1.js"])
        await client.ended()
    }
}
