import Foundation
import Testing
import TributaryJSON
import TributaryScript

@testable import AnalyticsLive

/// The way of events through live plugins.
@Suite struct LivePluginRuntimeTests {
    // MARK: Fail open

    @Test(
        "A bad plugin passes the event without its change, and the other plugins do their work",
        arguments: [
            ("throw new TypeError('no')", "TypeError: no"),
            ("event.properties.half = 'done'; missing.member = 1", "ReferenceError: Can't find variable: missing"),
            ("", "TypeError: the plugin returned nothing; a plugin that drops returns null"),
            ("return 1", "TypeError: the plugin returned no event"),
            ("return 'text'", "TypeError: the plugin returned no event"),
            ("return true", "TypeError: the plugin returned no event"),
            ("return [event]", "TypeError: the plugin returned no event"),
            ("return () => event", "TypeError: the plugin returned no event"),
            ("return new Date(0)", "TypeError: the plugin returned no event"),
            (
                "event.properties.loop = event; return event",
                "TypeError: properties.loop contains itself, which JSON cannot hold"
            ),
            (
                "event.properties.big = 10n; return event",
                "TypeError: properties.big is a BigInt, which JSON cannot hold"
            ),
            ("return { toJSON() { throw 'gotcha' } }", "gotcha"),
            ("throw { toString() { throw 1 } }", "an exception without a text"),
        ])
    func badPlugins(body: String, message: String) throws {
        let world = try LiveWorld(
            """
            class First extends LivePlugin { track(event) { event.properties.first = true; return event; } }
            class Bad extends LivePlugin { track(event) {
            \(body)
            } }
            class Last extends LivePlugin { track(event) { event.properties.last = true; return event; } }
            for (const plugin of [First, Bad, Last]) analytics.add(new plugin(LivePluginType.enrichment));
            """)
        let result = world.enrich(trackEvent("E", ["a": 1]))
        #expect(result.event == trackEvent("E", ["a": 1, "first": true, "last": true]))
        #expect(result.steps.map(\.plugin) == ["First", "Bad", "Last"])
        #expect(result.steps.first?.outcome == .changed)
        #expect(result.steps.last?.outcome == .changed)
        let fault = try #require(result.steps.dropFirst().first?.fault)
        #expect(fault.message == message)
        #expect(!fault.isSwitchedOff)
    }

    @Test("A fault has the file and the line of the script")
    func faultPlace() throws {
        let world = try LiveWorld(
            """
            class Bad extends LivePlugin {
                track(event) {
                    return event.missing.member;
                }
            }
            analytics.add(new Bad(LivePluginType.enrichment));
            """)
        let fault = try #require(world.enrich(trackEvent()).steps.first?.fault)
        #expect(fault.line == 3)
        #expect(fault.file == "bundle0.js")
    }

    @Test("The fault of a misused library function has the place of the call")
    func misuse() throws {
        let world = try LiveWorld(
            """
            class Bad extends LivePlugin {
                track(event) {
                    return this.send(event);
                }
                send(event) { analytics.track(5); }
            }
            analytics.add(new Bad(LivePluginType.enrichment));
            """)
        let fault = try #require(world.enrich(trackEvent()).steps.first?.fault)
        #expect(fault.message == "TypeError: the name of a track event must be a string")
        #expect(fault.line == 5)
        #expect(fault.file == "bundle0.js")
    }

    @Test("An error while a bundle loads has its place in the bundle")
    func bundleMistake() throws {
        let error = #expect(throws: ScriptError.self) { _ = try LiveWorld("\n\nanalytics.add({})") }
        #expect(error?.line == 3)
        #expect(error?.file == "bundle0.js")
        #expect(error?.stack?.contains("plugins.js") == false)
    }

    @Test("The fault of a script's own error class has the place of the throw")
    func errorClasses() throws {
        let world = try LiveWorld(
            """
            class Own extends Error {}
            class Bad extends LivePlugin {
                track(event) { throw new Own("mine") }
            }
            analytics.add(new Bad(LivePluginType.enrichment));
            """)
        let fault = try #require(world.enrich(trackEvent()).steps.first?.fault)
        #expect(fault.line == 3)
        #expect(fault.file == "bundle0.js")
    }

    @Test("The fault of a thrown object has the object's JSON")
    func thrownObjects() throws {
        let world = try LiveWorld(
            "class Bad extends LivePlugin { track(event) { throw { code: 3 } } }\n"
                + "analytics.add(new Bad(LivePluginType.enrichment));")
        let fault = try #require(world.enrich(trackEvent()).steps.first?.fault)
        #expect(fault.message == #"{"code":3}"#)
    }

    @Test("A plugin's event is too large by its bytes, and a large event may not grow")
    func size() throws {
        let world = try LiveWorld(
            """
            class Large extends LivePlugin {
                track(event) { event.properties.large = "€".repeat(event.properties.count); return event; }
            }
            class Redact extends LivePlugin { track(event) { delete event.properties.secret; return event; } }
            analytics.add(new Large(LivePluginType.enrichment));
            analytics.add(new Redact(LivePluginType.enrichment));
            """)
        let tooLarge = world.enrich(trackEvent("E", ["secret": 1, "count": 10_950]))
        #expect(tooLarge.event == trackEvent("E", ["count": 10_950]))
        #expect(tooLarge.steps.first?.fault?.message == "RangeError: the plugin's event is larger than 32768 bytes")
        #expect(tooLarge.steps.last?.outcome == .changed)
        let large = world.enrich(trackEvent("E", ["secret": 1, "count": 10_850]))
        #expect(large.event?["properties"]?["large"]?.stringValue?.count == 10_850)
        // An event that was too large before the plugins may stay so, but may not grow.
        let long = JSON.string(String(repeating: "€", count: 11_000))
        let shorter = world.enrich(trackEvent("E", ["secret": "some text", "count": 0, "long": long]))
        #expect(shorter.event == trackEvent("E", ["count": 0, "long": long]))
        #expect(shorter.steps.first?.fault != nil)
    }

    /// JavaScript spells these numbers longer, which only shows when the event comes back.
    @Test("Changes that make an event too large are taken back one by one")
    func takenBack() throws {
        let world = try LiveWorld(
            """
            class Change extends LivePlugin {
                constructor(letter) { super(LivePluginType.enrichment); this.letter = letter; }
                track(event) {
                    if (event.event.includes(this.letter)) event.properties.last = this.letter;
                    return event;
                }
            }
            for (const letter of ["A", "B", "C"]) analytics.add(new Change(letter));
            """)
        let numbers = try JSON.parse("[" + Array(repeating: "1e20", count: 7_000).joined(separator: ",") + "]")
        func outcomes(_ name: String, numbers: JSON) -> (LivePluginStageResult, [Bool]) {
            let result = world.enrich(trackEvent(name, ["last": "none", "numbers": numbers]))
            return (result, result.steps.map { $0.fault != nil })
        }
        #expect(outcomes("ABC", numbers: []).0.event?["properties"]?["last"] == "C")
        for (name, faults) in [
            ("A", [true, false, false]), ("AC", [true, false, true]), ("ABC", [true, true, true]),
        ] {
            let (result, failed) = outcomes(name, numbers: numbers)
            #expect(result.event == trackEvent(name, ["last": "none", "numbers": numbers]))
            #expect(failed == faults)
            // Changes that were taken back for one event apply to the next event.
            #expect(outcomes("B", numbers: []).0.event?["properties"]?["last"] == "B")
        }
    }

    @Test("A plugin that returns null drops the event, and later plugins do not run")
    func dropped() throws {
        let world = try LiveWorld(
            """
            class Drop extends LivePlugin { track(event) { return event.event === "Secret" ? null : event; } }
            class After extends LivePlugin { track(event) { console.log("reached"); return event; } }
            analytics.add(new Drop(LivePluginType.enrichment));
            analytics.add(new After(LivePluginType.enrichment));
            """)
        let result = world.enrich(trackEvent("Secret"))
        #expect(result == LivePluginStageResult(event: nil, steps: [LivePluginStep(plugin: "Drop", outcome: .dropped)]))
        #expect(world.bridge.lines.isEmpty)
        #expect(world.enrich(trackEvent("Other")).event == trackEvent("Other"))
        #expect(world.bridge.lines == ["log: reached"])
    }

    @Test("A plugin with ten faults is switched off")
    func manyFaults() throws {
        let world = try LiveWorld(
            """
            class Bad extends LivePlugin {
                track(event) { throw new Error("no"); }
                flush() { console.log("still told"); }
            }
            analytics.add(new Bad(LivePluginType.enrichment));
            """)
        let off = (1...10).map { _ in world.enrich(trackEvent()).steps.first?.fault?.isSwitchedOff }
        #expect(off == Array(repeating: false, count: 9) + [true])
        #expect(world.runtime.registrations.map(\.isOff) == [true])
        #expect(!world.runtime.handles(type: .enrichment, eventType: "track"))
        #expect(world.enrich(trackEvent()) == LivePluginStageResult(event: trackEvent(), steps: []))
        #expect(world.runtime.flush().isEmpty)
    }

    // MARK: Budget

    @Test("An endless plugin is switched off, and the other plugins do their work", arguments: [true, false])
    func endlessPlugin(hasEngineLimit: Bool) throws {
        let world = try LiveWorld(
            """
            class First extends LivePlugin { track(event) { event.properties.first = true; return event; } }
            class Spin extends LivePlugin { track(event) { event.properties.spin = true; for (;;); } }
            class Spun extends LivePlugin { track(event) { while (true) { try { for (;;); } catch {} } } }
            class Last extends LivePlugin { track(event) { event.properties.last = true; return event; } }
            for (const plugin of [First, Spin, Spun, Last]) analytics.add(new plugin(LivePluginType.enrichment));
            """, budget: LivePluginBudget(eventSeconds: 0.02),
            hasEngineLimit: hasEngineLimit && ScriptEngine.canStopScripts)
        let result = world.enrich(trackEvent())
        #expect(result.event == trackEvent("Product Viewed", ["first": true, "last": true]))
        #expect(result.steps.map(\.plugin) == ["First", "Spin", "Spun", "Last"])
        #expect(
            result.steps[1].fault
                == LivePluginFault(
                    message: "the script was stopped after 20 ms", line: nil, file: nil, isSwitchedOff: true,
                    isBreach: true))
        #expect(world.runtime.registrations.map(\.isOff) == [false, true, true, false])
        #expect(world.enrich(trackEvent()).steps.map(\.plugin) == ["First", "Last"])
        #expect(world.runtime.failure == nil)
    }

    @Test("Async plugins share the budget of their event")
    func asyncPluginsShareTheBudget() throws {
        let world = try LiveWorld(
            """
            class Slow extends LivePlugin {
                async track(event) {
                    let sum = 0;
                    for (let i = 0; i < 400000; i++) { if (i % 1000 === 0) await 0; sum += i; }
                    event.properties.sum = sum;
                    return event;
                }
            }
            for (let i = 0; i < 30; i++) analytics.add(new Slow(LivePluginType.enrichment));
            """)
        let result = world.enrich(trackEvent())
        #expect(result.steps.count == 30)
        #expect(result.steps.contains { $0.fault?.message == "the script was stopped after 100 ms" })
        #expect(world.runtime.failure == nil)
    }

    /// A script can catch the error that a guard throws, but its plugin has used up its time all the same.
    @Test(
        "A plugin that catches the error of its stop is switched off, and no other plugin is",
        arguments: [
            "try { for (;;); } catch { return event; }", "try { for (;;); } finally { return event; }",
            "try { for (;;); } catch { } throw { toString() { for (;;); } }",
        ])
    func caughtEnd(body: String) throws {
        let world = try LiveWorld(
            """
            class Catch extends LivePlugin { track(event) { event.properties.wrong = true; \(body) } }
            class Last extends LivePlugin { track(event) { event.properties.last = true; return event; } }
            for (const plugin of [Catch, Last]) analytics.add(new plugin(LivePluginType.enrichment));
            """, budget: LivePluginBudget(eventSeconds: 0.02), hasEngineLimit: false)
        let result = world.enrich(trackEvent())
        #expect(result.event == trackEvent("Product Viewed", ["last": true]))
        #expect(result.steps[0].fault?.isSwitchedOff == true)
        #expect(world.runtime.registrations.map(\.isOff) == [true, false])
        #expect(world.enrich(trackEvent()).steps.map(\.plugin) == ["Last"])
        #expect(world.runtime.failure == nil)
    }

    #if os(Linux)
    @Test("A plugin that is endless in a notice is switched off, and the next plugin gets the notice")
    func endlessNotice() throws {
        let world = try LiveWorld(
            """
            class Spin extends LivePlugin { reset() { for (;;); } }
            class Last extends LivePlugin { reset() { console.log("told"); } }
            analytics.add(new Spin(LivePluginType.utility));
            analytics.add(new Last(LivePluginType.utility));
            """, budget: LivePluginBudget(eventSeconds: 0.02))
        let steps = world.runtime.reset()
        #expect(steps.first?.fault?.isSwitchedOff == true)
        #expect(steps.last == LivePluginStep(plugin: "Last", outcome: .unchanged))
        #expect(world.bridge.lines == ["log: told"])
    }

    @Test("An endless bundle is stopped while it loads")
    func endlessBundle() throws {
        let error = #expect(throws: ScriptError.self) {
            _ = try LiveWorld("for (;;);", budget: LivePluginBudget(loadSeconds: 0.02))
        }
        #expect(error?.reason == .timeExceeded)
    }

    @Test("A plugin that uses too much memory switches the runtime off")
    func hoarding() throws {
        let world = try LiveWorld(
            """
            class Redact extends LivePlugin { track(event) { delete event.properties.secret; return event; } }
            class Hoard extends LivePlugin {
                track(event) { globalThis.all = []; for (;;) all.push({ a: 1, b: 2 }); }
            }
            analytics.add(new Redact(LivePluginType.enrichment));
            analytics.add(new Hoard(LivePluginType.enrichment));
            """, budget: LivePluginBudget(eventSeconds: 60, megabytes: 24))
        let result = world.enrich(trackEvent("E", ["secret": 1]))
        #expect(result.event == trackEvent("E"))
        #expect(result.steps.map(\.plugin) == ["Redact", "Hoard"])
        #expect(result.steps.last?.fault?.message == "the scripts hold more than 24 MB")
        #expect(world.runtime.failure?.reason == .memoryExceeded)
        #expect(!world.runtime.handles(type: .enrichment, eventType: "track"))
        #expect(world.enrich(trackEvent()).event == trackEvent())
        #expect(throws: ScriptError.self) { try world.runtime.load(source: "1", name: "more.js") }
    }
    #endif

    // MARK: Stages

    @Test func pluginsOfAStageRunInTheirOrder() throws {
        let world = try LiveWorld(
            """
            class Mark extends LivePlugin {
                constructor(type, mark, destination) { super(type, destination); this.mark = mark; }
                track(event) { event.properties.marks.push(this.mark); return event; }
            }
            analytics.add(new Mark(LivePluginType.enrichment, "e1"));
            analytics.add(new Mark(LivePluginType.before, "b"));
            analytics.add(new Mark(LivePluginType.enrichment, "e2", null));
            analytics.add(new Mark(LivePluginType.enrichment, "amplitude", "Amplitude"));
            analytics.add(new Mark(LivePluginType.after, "a"));
            analytics.add(new Mark(LivePluginType.utility, "u"));
            """)
        func marks(_ type: LivePluginType, _ destination: String? = nil) -> JSON? {
            world.runtime.run(type: type, destination: destination, event: trackEvent("E", ["marks": []]))
                .event?["properties"]?["marks"]
        }
        #expect(marks(.before) == ["b"])
        #expect(marks(.enrichment) == ["e1", "e2"])
        #expect(marks(.enrichment, "Amplitude") == ["amplitude"])
        #expect(marks(.enrichment, "Other") == [])
        #expect(marks(.after) == ["a"])
        #expect(marks(.utility) == [])
    }

    @Test("Only events of types that a plugin handles enter JavaScript")
    func handledTypes() throws {
        let world = try LiveWorld(
            """
            class Tracks extends LivePlugin { track(event) { return event; } }
            class Nothing extends LivePlugin {}
            class Everything extends LivePlugin { process(event) { return super.process(event); } }
            class Older extends LivePlugin { execute(event) { return event; } }
            analytics.add(new Tracks(LivePluginType.before));
            analytics.add(new Nothing(LivePluginType.enrichment));
            analytics.add(new Everything(LivePluginType.after));
            analytics.add(new Older(LivePluginType.after, "D"));
            """)
        let types = ["track", "identify", "screen", "group", "alias", "page"]
        func handled(_ type: LivePluginType, _ destination: String? = nil) -> [String] {
            types.filter { world.runtime.handles(type: type, destination: destination, eventType: $0) }
        }
        #expect(handled(.before) == ["track"])
        #expect(handled(.enrichment) == [])
        #expect(handled(.after) == types)
        #expect(handled(.after, "D") == types)
        #expect(handled(.before, "D") == [])
        let result = world.runtime.run(type: .before, event: ["type": "identify"])
        #expect(result == LivePluginStageResult(event: ["type": "identify"], steps: []))
    }

    @Test("The outcome of a plugin says whether the event changed")
    func outcome() throws {
        let world = try LiveWorld(
            """
            class Same extends LivePlugin { track(event) { return { ...event }; } }
            class Other extends LivePlugin { track(event) { event.event += "!"; return event; } }
            analytics.add(new Same(LivePluginType.enrichment));
            analytics.add(new Other(LivePluginType.enrichment));
            """)
        let event = try JSON.parse(#"{"type":"track","event":"E","properties":{"spelled":1.50,"2":1,"1":2}}"#)
        #expect(world.enrich(event).steps.map(\.outcome) == [.unchanged, .changed])
    }

    @Test("Objects that a plugin puts into an event are not shared with the next plugin")
    func sharing() throws {
        let world = try LiveWorld(
            """
            const shared = { count: 0 };
            class Keep extends LivePlugin {
                track(event) {
                    if (this.last) event.properties.kept = this.last.event;
                    event.properties.shared = shared;
                    this.last = event;
                    return event;
                }
            }
            class Change extends LivePlugin {
                track(event) { event.event = "Changed"; event.properties.shared.count += 1; return event; }
            }
            analytics.add(new Keep(LivePluginType.enrichment));
            analytics.add(new Change(LivePluginType.enrichment));
            """)
        _ = world.enrich(trackEvent("One"))
        let second = world.enrich(trackEvent("Two")).event
        #expect(second?["properties"]?["kept"] == "One")
        #expect(second?["properties"]?["shared"] == ["count": 1])
    }

    @Test(
        "Frozen objects, getters and proxies of a plugin do not reach the next plugin",
        arguments: [
            "Object.freeze(event); Object.freeze(event.properties)",
            "Object.defineProperty(event, 'properties', { enumerable: true, get: spent(event.properties) })",
            "Object.setPrototypeOf(event.properties, { get total() { throw new Error('mine') } })",
            "event.properties = new Proxy(event.properties, { set() { throw new Error('mine') } })",
        ])
    func traps(body: String) throws {
        let world = try LiveWorld(
            """
            function spent(value) {
                let uses = 1
                return () => { if (uses-- > 0) return value; throw new Error("mine") }
            }
            class Trap extends LivePlugin { track(event) { \(body); return event } }
            analytics.add(new Trap(LivePluginType.enrichment))
            class Work extends LivePlugin { track(event) { event.properties.total = 1; return event } }
            analytics.add(new Work(LivePluginType.enrichment))
            """)
        let result = world.enrich(trackEvent())
        #expect(result.event?["properties"]?["total"] == 1)
        #expect(result.steps.map(\.outcome) == [.unchanged, .changed])
    }

    @Test func pluginAddedWhileAnEventIsProcessedSeesTheNextOne() throws {
        let world = try LiveWorld(
            """
            class Late extends LivePlugin { track(event) { event.properties.late = true; return event; } }
            class Early extends LivePlugin {
                track(event) {
                    this.late ??= analytics.add(new Late(LivePluginType.enrichment));
                    return event;
                }
            }
            analytics.add(new Early(LivePluginType.enrichment));
            """)
        #expect(world.enrich(trackEvent()).steps.map(\.plugin) == ["Early"])
        #expect(world.enrich(trackEvent()).steps.map(\.plugin) == ["Early", "Late"])
    }

    // MARK: Notices

    @Test("Notices reach the plugins that implement them")
    func notices() throws {
        let world = try LiveWorld(
            """
            class Curious extends LivePlugin {
                update(settings, type) { settings.seen = 1; console.log("update", settings, type); }
                reset() { console.log("reset"); }
                flush() { throw new Error("no"); }
            }
            class Deaf extends LivePlugin { track(event) { return event; } }
            analytics.add(new Curious(LivePluginType.utility));
            analytics.add(new Curious(LivePluginType.before, "D"));
            analytics.add(new Deaf(LivePluginType.utility));
            """)
        let told = LivePluginStep(plugin: "Curious", outcome: .unchanged)
        #expect(world.runtime.update(settings: ["a": 1], initial: true) == [told, told])
        #expect(world.runtime.reset() == [told, told])
        #expect(world.runtime.flush().map(\.fault?.message) == ["Error: no", "Error: no"])
        let update = #"log: update {"a":1,"seen":1} true"#
        #expect(world.bridge.lines == [update, update, "log: reset", "log: reset"])
    }

    @Test("A notice that a script causes waits until the script has ended")
    func nestedNotice() throws {
        let world = try LiveWorld(
            """
            class Reset extends LivePlugin {
                track(event) { analytics.reset(); console.log("track ends"); return event; }
                reset() { console.log("reset"); }
            }
            analytics.add(new Reset(LivePluginType.enrichment));
            """)
        var steps: [LivePluginStep] = []
        world.runtime.noticeHandler = { steps += $0 }
        world.bridge.onReset = { [weak runtime = world.runtime] in
            runtime?.reset()
            let inner = runtime?.run(type: .enrichment, event: trackEvent("Inner"))
            #expect(inner == LivePluginStageResult(event: trackEvent("Inner"), steps: []))
        }
        #expect(world.enrich(trackEvent()).event == trackEvent())
        #expect(world.bridge.lines == ["log: track ends", "log: reset"])
        #expect(steps == [LivePluginStep(plugin: "Reset", outcome: .unchanged)])
    }

    // MARK: Life

    @Test("A closed runtime passes every event without a change")
    func closed() throws {
        let world = try LiveWorld(
            "analytics.add(new (class A extends LivePlugin { track() { return null; } })(LivePluginType.enrichment));")
        world.runtime.teardown()
        #expect(world.enrich(trackEvent()).event == trackEvent())
        #expect(world.runtime.reset().isEmpty)
        #expect(world.runtime.failure?.reason == .unusable)
    }

    @Test("A syntax error of a bundle has its file and its line")
    func syntaxError() throws {
        let error = #expect(throws: ScriptError.self) { _ = try LiveWorld("let a = 1;\nlet a = 2;") }
        #expect(error?.line == 2)
        #expect(error?.file == "bundle0.js")
    }

    @Test func runtimeAndClientDoNotKeepEachOtherAlive() throws {
        weak var runtime: LivePluginRuntime?
        weak var bridge: RecordingBridge?
        do {
            let world = try LiveWorld("analytics.track('E')")
            runtime = world.runtime
            bridge = world.bridge
            #expect(bridge?.calls.count == 1)
        }
        #expect(runtime == nil)
        #expect(bridge == nil)
    }

    /// A clock that goes on by a step at each look.
    private final class SteppingClock {
        private var now: UInt64 = 0
        var step: UInt64 = 0

        func read() -> UInt64 {
            now += step
            return now
        }
    }

    @Test(
        "Explaining faults ends with the budget of the stage, and the first fault is always explained",
        arguments: [true, false])
    func explanationInBudget(canStop: Bool) throws {
        let map = #"{"version":3,"sources":["plugin.ts"],"names":[],"mappings":"AAAA,mCAEE"}"#
        let source = """
            class A extends LivePlugin{track(e){null.x}};for(let i=0;i<5;i++)analytics.add(new A("enrichment"))
            //# sourceMappingURL=data:application/json;base64,\(Data(map.utf8).base64EncodedString())
            """
        let (clock, processor) = (SteppingClock(), SteppingClock())
        let (budget, bridge) = (LivePluginBudget(), RecordingBridge())
        let engine = try ScriptEngine(
            budget: budget.ofEvents, census: ScriptCensus(), clock: clock.read, processorTime: processor.read,
            canStop: canStop && ScriptEngine.canStopScripts)
        let runtime = try LivePluginRuntime(
            writeKey: "KEY", version: "7", budget: budget, bridge: bridge, engine: engine)
        try runtime.load(source: source, name: "min.js")
        func explained() -> [Bool] {
            runtime.run(type: .enrichment, event: trackEvent()).steps.map { $0.fault?.file == "plugin.ts" }
        }
        #expect(explained() == [true, true, true, true, true])
        (clock.step, processor.step) = (40_000_000, 40_000_000)
        let some = explained()
        #expect(some.first == true && some.last == false)
        (clock.step, processor.step) = (0, 0)
        #expect(explained() == [true, true, true, true, true])
    }
}

extension LivePluginStep {
    /// The fault, when the plugin failed.
    var fault: LivePluginFault? {
        if case .failed(let fault) = outcome { return fault }
        return nil
    }
}
