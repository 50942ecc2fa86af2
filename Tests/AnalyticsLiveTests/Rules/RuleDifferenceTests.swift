import Foundation
import Testing
import TributaryJSON
import TributaryRuleCompiler
import TributaryScript

@testable import AnalyticsLive

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// The seeds of the generated plugins.
enum RulePrograms {
    /// Plugins of one bundle.
    static let share: UInt64 = 50
    /// The first seed of each bundle: 500 plugins, or as many as the environment says.
    static let starts: [UInt64] = {
        let count = ProcessInfo.processInfo.environment["TRIBUTARY_RULE_PROGRAMS"].flatMap(UInt64.init) ?? 500
        return Array(stride(from: 0, to: count, by: Int(share)))
    }()
}

/// Data and engine give the same events, byte for byte.
@Suite(.timeLimit(.minutes(RulePrograms.starts.count > 10 ? 60 : 30))) struct RuleDifferenceTests {
    @Test("Generated plugins give the same events in the engine and as data", arguments: RulePrograms.starts)
    func generated(first: UInt64) throws {
        let events = try RuleEvents.all
        let seeds = first..<(first + RulePrograms.share)
        var script = ""
        for seed in seeds {
            script += RuleProgramGenerator.plugin(seed: seed, named: "P\(seed)")
            script += "analytics.add(new P\(seed)(LivePluginType.enrichment, \"d\(seed)\"))\n"
        }
        let problems = RuleCompiler.compile(script).problems
        let lines = script.components(separatedBy: "\n")
        try #require(problems.isEmpty, "\(problems.map { "\($0): \(lines[$0.line - 1])" })")
        let world = try #require(try RuleWorld(script))
        for seed in seeds {
            for (number, event) in events.enumerated() {
                let outcomes = world.outcomes(event, destination: "d\(seed)")
                #expect(
                    outcomes.engine == outcomes.data,
                    "seed \(seed), event \(number):\n\(RuleProgramGenerator.plugin(seed: seed, named: "P"))")
            }
        }
    }

    @Test("Several plugins of a stage give the same events in the engine and as data")
    func chains() throws {
        let world = try #require(
            try RuleWorld(
                """
                class A extends LivePlugin { track(event) { event.properties.copy = event.properties.large; return event } }
                class B extends LivePlugin { track(event) { delete event.properties.copy; return event } }
                class C extends LivePlugin { track(event) { event.properties.items[0].price = 1; return event } }
                class D extends LivePlugin { process(event) { event.properties["3"] = event.properties["7"]; return super.process(event) } }

                """
                    + ["A", "B", "C", "D"].map { "analytics.add(new \($0)(LivePluginType.enrichment))" }
                    .joined(separator: "\n")))
        for event in try RuleEvents.all {
            let outcomes = world.outcomes(event)
            #expect(outcomes.engine == outcomes.data)
        }
    }

    @Test("A plugin that fails ten times is off in both")
    func faults() throws {
        let world = try #require(
            try RuleWorld(
                """
                class Bad extends LivePlugin { track(event) { return event.missing.member } }
                analytics.add(new Bad("enrichment"))
                """))
        let event = try RuleEvents.all[0]
        for _ in 0..<12 {
            let outcomes = world.outcomes(event)
            #expect(outcomes.engine == outcomes.data)
        }
        #expect(world.data.registrations[0].isOff)
    }

    @Test("Plugins that are data have the permissions of scripts")
    func permissions() throws {
        let world = try #require(
            try RuleWorld(
                """
                class Some extends LivePlugin {
                    track(event) {
                        event.event = "Renamed"
                        event.properties.price = 1
                        event.properties.seen = String(event.context?.app?.name)
                        analytics.track("Allowed", { a: 1 })
                        analytics.track("Refused", { a: 1 })
                        return event
                    }
                }
                analytics.add(new Some("enrichment"))
                """,
                permissions: ScriptPermissions([
                    .change("properties.price"), .change("properties.seen"), .emit("Allowed"),
                ])))
        for event in try RuleEvents.all {
            let outcomes = world.outcomes(event)
            #expect(outcomes.engine == outcomes.data)
        }
    }

    @Test("Each plugin of the corpus is data or not as its heading says")
    func verdicts() throws {
        let plugins = try RuleCorpus.plugins()
        #expect(plugins.count >= 250)
        for plugin in plugins {
            let compilation = RuleCompiler.compile(plugin.script)
            let reasons = compilation.problems.map { "\($0.line): \($0.reason)" }.joined(separator: "; ")
            #expect(compilation.isData == (plugin.reason == nil), "\(plugin.name): \(reasons)")
            if let reason = plugin.reason { #expect(reasons.contains(reason), "\(plugin.name): \(reasons)") }
        }
        let share = plugins.count { $0.reason == nil } * 100 / plugins.count
        #expect(share >= 85, "only \(share) % of \(plugins.count) plugins become data")
    }

    @Test(
        "The plugins of the corpus give the same events in the engine and as data",
        arguments: Array(stride(from: 0, to: 400, by: 40)))
    func corpus(first: Int) throws {
        let events = try RuleEvents.all + RuleCorpus.events()
        for plugin in try RuleCorpus.plugins().dropFirst(first).prefix(40) where plugin.reason == nil {
            guard let world = try RuleWorld(plugin.script) else { continue }
            for event in events {
                for (type, destination) in [
                    (LivePluginType.before, nil), (.enrichment, nil), (.enrichment, "Amplitude"),
                ] {
                    let outcomes = world.outcomes(event, at: type, destination: destination)
                    #expect(outcomes.engine == outcomes.data, "\(plugin.name)")
                }
            }
            world.engine.runtime.teardown()
        }
    }
}
#endif
