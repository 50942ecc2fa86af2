import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON
import TributaryScript

@testable import AnalyticsLive

@Suite("Tables that go out with a bundle")
struct BundleTableTests {
    /// The line with tables of the conformance vectors: the category of the key A-1 is "Shoes".
    private static func line(category: String = "Shoes") throws -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let file = root.appendingPathComponent("conformance/live-plugins.json")
        let vectors = try JSON.parse(try String(contentsOf: file, encoding: .utf8)).elements ?? []
        let lines = vectors.compactMap { $0["source"]?[0]?.stringValue }
        let line = try #require(lines.first { $0.hasPrefix(BundleText.mark) })
        return line.replacingOccurrences(of: "Shoes", with: category) + "\n"
    }

    private static let script = """
        class Look extends LivePlugin {
            track(event) {
                event.context.category = tables.get("sku", "A-1").category
                return event
            }
        }
        analytics.add(new Look(LivePluginType.enrichment, null))
        """

    @Test("A text is divided only behind a first line with tables")
    func parts() throws {
        for text in ["", "let a = 1", "\n\(BundleText.mark)*/\n", "/* tributary tables */\n"] {
            #expect(BundleText(text).tables == nil)
            #expect(BundleText(text).code == text)
        }
        let only = BundleText("\(BundleText.mark){}*/")
        #expect(only.tables == "\(BundleText.mark){}*/" && only.code.isEmpty)
        let both = BundleText("\(BundleText.mark){}*/\r\n\r\ncode")
        #expect(both.tables == "\(BundleText.mark){}*/\r\n" && both.code == "\r\ncode")
    }

    @Test("On a device a script reads the tables of its own version, under one signature, also at the next launch")
    func versions() async throws {
        let folder = try TemporaryFolder()
        let key = SigningKey()
        let plugin = { LivePlugins(fallbackFileURL: nil, publicKey: key.publicKey.base64EncodedString()) }
        func signed(_ bundle: String) throws -> String {
            try key.signature(for: Data(bundle.utf8)).base64EncodedString()
        }
        let first = try Self.line() + Self.script
        let second = try Self.line(category: "Boots") + Self.script
        let client = Deployment.client(first, signature: try signed(first), plugin: plugin(), folder: folder.url)
        client.analytics.track(name: "A")
        await client.flushed()
        await client.deploy(version: 2, second, signature: try signed(second))
        client.analytics.track(name: "B")
        await client.flushed()
        // The script is the same; the signature is not that of these tables.
        let forged = try Self.line(category: "Forged") + Self.script
        await client.deploy(
            version: 3, forged, signature: try signed(second), until: "is not available")
        client.analytics.track(name: "C")
        await client.flushed()
        #expect(client.server.events.map { $0["context"]?["category"] } == ["Shoes", "Boots", "Boots"])
        await client.ended()
        let later = Deployment.client(version: 2, status: 503, plugin: plugin(), folder: folder.url)
        later.analytics.track(name: "D")
        await later.flushed()
        #expect(later.server.events.map { $0["context"]?["category"] } == ["Boots"])
        await later.ended()
    }

    @Test("With the app's permissions, scripts read tables as well, and faults name the line of the script")
    func permissions() throws {
        let script = Self.script.replacingOccurrences(of: "event.context.category =", with: "event.event =")
        let world = try LiveWorld(
            try Self.line() + script, permissions: ScriptPermissions([.rename]))
        #expect(world.enrich(trackEvent()).event?["event"] == "Shoes")
        let broken = try LiveWorld(try Self.line() + Self.script.replacingOccurrences(of: "A-1", with: "A-2"))
        let fault = try #require(broken.enrich(trackEvent()).steps.first?.fault)
        #expect(fault.line == 3 && fault.file == "bundle0.js", "\(fault)")
    }

    @Test("The tables of a later script replace those of an earlier one in the same engine")
    func replaced() throws {
        let world = try LiveWorld(try Self.line(), try Self.line(category: "Boots") + Self.script)
        let event: JSON = ["type": "track", "event": "A", "context": [:]]
        #expect(world.enrich(event).event?["context"]?["category"] == "Boots")
    }

    @Test("A line with tables has the budget of a bundle, and one that is cut off is refused")
    func budget() throws {
        let endless = "\(BundleText.mark){}*/for (;;) {}\n" + Self.script
        let error = #expect(throws: ScriptError.self) {
            _ = try LiveWorld(endless, budget: LivePluginBudget(loadSeconds: 0.05))
        }
        #expect(error?.reason == .timeExceeded)
        let cut = String(try Self.line().dropLast(5)) + "\n" + Self.script
        #expect(throws: ScriptError.self) { _ = try LiveWorld(cut) }
    }
}
