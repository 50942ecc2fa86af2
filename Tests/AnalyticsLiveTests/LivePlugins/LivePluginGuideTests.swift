import Foundation
import TestSupport
import Testing
import Tributary
import TributaryScript

@testable import AnalyticsLive

/// The examples of docs/guides/live-plugins.md.
@Suite struct LivePluginGuideTests {
    private struct Block {
        /// What follows the opening fence.
        let kind: String
        let text: String
    }

    private let guide: [Block]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let file = root.appendingPathComponent("docs/guides/live-plugins.md")
        var blocks: [Block] = []
        var open: (kind: String, lines: [String])?
        for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(Block(kind: block.kind, text: block.lines.joined(separator: "\n")))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        guide = blocks
    }

    /// Each plugin does to the events behind it what the guide says.
    @Test("Each plugin of the guide changes events as the guide shows")
    func guidePlugins() throws {
        var world: LiveWorld?
        var run: (before: JSON, after: JSON?, faults: [String])?
        var examples = 0
        for block in guide {
            switch block.kind {
            case "js plugin":
                let new = try LiveWorld()
                new.bridge.others["OTHER"] = RecordingSource()
                try new.runtime.load(source: block.text, name: "plugin.js")
                #expect(
                    new.runtime.update(settings: ["integrations": [:]], initial: true).allSatisfy { $0.fault == nil })
                world = new
            case let kind where kind.hasPrefix("json before"):
                let destination = kind.split(separator: " ").dropFirst(2).first.map(String.init)
                run = try pass(try JSON.parse(block.text), through: #require(world), destination)
            case "json after":
                let (_, after, faults) = try #require(run)
                #expect((after ?? .null).description == (try JSON.parse(block.text)).description)
                if !expectsFault(behind: block) { #expect(faults.isEmpty) }
                examples += 1
            case "fault": #expect(run?.faults == [block.text])
            case "json sent":
                let calls = world?.bridge.calls.map { call in
                    var call = call
                    call["context"] = nil
                    return call.description
                }
                #expect(calls == [try JSON.parse(block.text).description])
            case "console": #expect(world?.bridge.lines == [block.text])
            default: continue
            }
        }
        #expect(examples >= 8)
    }

    private func expectsFault(behind block: Block) -> Bool {
        guard let position = guide.firstIndex(where: { $0.text == block.text && $0.kind == block.kind }) else {
            return false
        }
        return guide.dropFirst(position + 1).prefix(1).contains { $0.kind == "fault" }
    }

    private func pass(
        _ event: JSON, through world: LiveWorld, _ destination: String?
    ) -> (before: JSON, after: JSON?, faults: [String]) {
        var current: JSON? = event
        var faults: [String] = []
        let inner: [(LivePluginType, String?)] = destination.map { [(.enrichment, $0)] } ?? []
        for (type, destination) in [(.before, nil), (.enrichment, nil)] + inner + [(.after, nil)] {
            guard let before = current else { break }
            let result = world.runtime.run(type: type, destination: destination, event: before)
            current = result.event
            faults += result.steps.compactMap { $0.fault?.message }
        }
        return (event, current, faults)
    }

    @Test("Each refused script of the guide has the documented error")
    func refusedScripts() throws {
        let positions = guide.indices.filter { guide[$0].kind == "js refused" }
        #expect(!positions.isEmpty)
        for position in positions {
            let error = #expect(throws: ScriptError.self) { _ = try LiveWorld(guide[position].text) }
            #expect(error?.message == guide[position + 1].text)
        }
    }

    /// The Swift examples stand in this file, so the compiler has seen them.
    @Test("The guide's Swift examples stand in this file, so they compile")
    func swiftExamples() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let examples = guide.filter { $0.kind == "swift" }
        #expect(!examples.isEmpty)
        for example in examples {
            for line in example.text.components(separatedBy: "\n") {
                #expect(source.contains("        \(line)\n"), "\(line)")
            }
        }
    }

    private func install(in analytics: Analytics) {
        let fallbackURL: URL? = Bundle.main.url(forResource: "myFallback", withExtension: "js")
        analytics.add(plugin: LivePlugins(fallbackFileURL: fallbackURL))
    }

    private func installRestricted(in analytics: Analytics) {
        analytics.add(
            plugin: LivePlugins(allow: [
                .rename, .drop("Debug*"), .read("properties.*"), .change("properties.currency"), .emit("First*"),
            ]))
    }

    private func installData(in analytics: Analytics) {
        analytics.add(plugin: LivePlugins(accept: .dataOnly))
    }

    private func installSigned(in analytics: Analytics, _ fallbackURL: URL?, publicKey: String) {
        analytics.add(plugin: LivePlugins(fallbackFileURL: fallbackURL, publicKey: publicKey))
    }

    private func withSettingsPush() -> Analytics {
        // swift-format-ignore
        let analytics = Analytics(configuration: Configuration(writeKey: "KEY")
            .apiHost("stats.example.com/v1").cdnHost("stats.example.com/v1")
            .settingsPush(true))
        return analytics
    }

    private func installTrusted(
        in analytics: Analytics, _ fallbackURL: URL?, _ buildKey: String, _ releaseKey: String, _ securityKey: String
    ) {
        let trust = BundleTrust(keys: [buildKey, releaseKey, securityKey], atLeast: 2, isLogged: true)
        analytics.add(plugin: LivePlugins(trust: trust, fallbackFileURL: fallbackURL))
    }

    /// An example in a block of an unknown kind would run in no test.
    @Test("A test knows each kind of block in the guide")
    func knownBlocks() {
        let known: Set = [
            "json settings", "json report",
            "swift", "sh", "js plugin", "js refused", "json before", "json before Amplitude", "json after", "json sent",
            "fault", "problem", "console", "csv sku.csv", "js add-category.js", "json viewed.ndjson", "text",
        ]
        #expect(Set(guide.map(\.kind)).subtracting(known).isEmpty)
    }
}
