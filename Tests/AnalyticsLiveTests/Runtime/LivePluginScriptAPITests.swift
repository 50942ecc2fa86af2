import Testing
import TributaryJSON
import TributaryScript

@testable import AnalyticsLive

/// The documented API of scripts, its constants, and its limits.
@Suite struct LivePluginScriptAPITests {
    // MARK: The documents' examples

    static let fixProductViewed = """
        class FixProductViewed extends LivePlugin {
            track(event) {
                if (event.event == "Product Viewed") {
                    // set the correct property name
                    event.properties.product_id = event.properties.product_did
                    // remove old property
                    delete event.properties.product_did
                }
                return event
            }
        }

        // Create and add the plugin
        let productViewFix = new FixProductViewed(LivePluginType.enrichment, null)
        analytics.add(productViewFix)
        """

    @Test("Example 36: a plugin renames a property")
    func example36() throws {
        let world = try LiveWorld(Self.fixProductViewed)
        let result = world.enrich(trackEvent("Product Viewed", ["product_did": "a", "price": 18.99]))
        #expect(result.event == trackEvent("Product Viewed", ["price": 18.99, "product_id": "a"]))
        #expect(result.steps == [LivePluginStep(plugin: "FixProductViewed", outcome: .changed)])
        #expect(world.enrich(trackEvent("Other", ["product_did": "a"])).steps.first?.outcome == .unchanged)
        // As written, an event that is right already loses its product_id.
        let already = world.enrich(trackEvent("Product Viewed", ["product_id": "a"]))
        #expect(already.event == trackEvent("Product Viewed", [:]))
    }

    @Test("Example 36: an event without properties stays, and the plugin has a fault")
    func example36WithoutProperties() throws {
        let world = try LiveWorld(Self.fixProductViewed)
        let event: JSON = ["type": "track", "event": "Product Viewed"]
        let result = world.enrich(event)
        #expect(result.event == event)
        #expect(result.steps.first?.fault?.message.hasPrefix("TypeError") == true)
        #expect(result.steps.first?.fault?.line == 5)
    }

    @Test("Example 36: loading the class twice into one runtime is an error")
    func example36Twice() throws {
        let error = #expect(throws: ScriptError.self) {
            _ = try LiveWorld(Self.fixProductViewed, Self.fixProductViewed)
        }
        #expect(error?.message.contains("FixProductViewed") == true)
        _ = try LiveWorld(Self.fixProductViewed)
    }

    @Test("Example 37: a plugin changes only its destination's copy of the event")
    func example37() throws {
        let world = try LiveWorld(
            """
            // Remove advertisingId only from Amplitude events
            class RemoveAdvertisingId extends LivePlugin {
                process(event) {
                    delete event.context.device.advertisingId
                    return super.process(event)
                }
            }

            let deleteAdID = new RemoveAdvertisingId(LivePluginType.enrichment, "Amplitude")
            analytics.add(deleteAdID)
            """)
        let event: JSON = ["type": "track", "event": "E", "context": ["device": ["advertisingId": "x", "id": "y"]]]
        let copy = world.runtime.run(type: .enrichment, destination: "Amplitude", event: event).event
        #expect(copy == ["type": "track", "event": "E", "context": ["device": ["id": "y"]]])
        #expect(world.enrich(event) == LivePluginStageResult(event: event, steps: []))
        let bare = world.runtime.run(type: .enrichment, destination: "Amplitude", event: trackEvent())
        #expect(bare.event == trackEvent())
        #expect(bare.steps.first?.fault?.message.hasPrefix("TypeError") == true)
    }

    @Test(
        "Example 37: super.process calls the method of the event's type",
        arguments: ["track", "identify", "screen", "group", "alias"])
    func example37Super(type: String) throws {
        let world = try LiveWorld(
            """
            class Both extends LivePlugin {
                process(event) { event.process = true; return super.process(event); }
                \(type)(event) { event.method = "\(type)"; return event; }
            }
            analytics.add(new Both(LivePluginType.enrichment));
            """)
        let event = world.enrich(["type": .string(type)]).event
        #expect(event == ["type": .string(type), "process": true, "method": .string(type)])
        #expect(world.enrich(["type": "page"]).event == ["type": "page", "process": true])
    }

    @Test("Example 38: a script writes to the console")
    func example38() throws {
        let world = try LiveWorld("console.log('x'); console.log('Found:', { a: 1 }); console.warn('w')")
        #expect(world.bridge.lines == ["log: x", #"log: Found: {"a":1}"#, "warn: w"])
    }

    @Test("Example 39: the predefined analytics object is the client")
    func example39() throws {
        let world = try LiveWorld("analytics.track('E')")
        #expect(world.bridge.calls.count == 1)
        #expect(throws: ScriptError.self) { _ = try LiveWorld("let other = Analytics('KEY')") }
    }

    @Test("Example 39: analytics objects with other write keys are other sources")
    func example39OtherKeys() throws {
        let world = try LiveWorld()
        let other = RecordingSource()
        world.bridge.others["OTHER"] = other
        try world.runtime.load(
            source: "let analytics = new Analytics('OTHER'); analytics.track('There')", name: "b.js")
        try world.runtime.load(source: "new Analytics('KEY').track('Here')", name: "c.js")
        #expect(other.calls.map { $0["track"] } == ["There"])
        #expect(world.bridge.calls.map { $0["track"] } == ["Here"])
        #expect(throws: ScriptError.self) {
            try world.runtime.load(source: "new Analytics('MISSING')", name: "d.js")
        }
    }

    @Test("Example 40: a script's calls reach the client")
    func example40() throws {
        let world = try LiveWorld()
        world.bridge.traits = ["plan": "pro"]
        world.bridge.userId = "u-1"
        world.bridge.anonymousId = "a-1"
        try world.runtime.load(
            source: """
                console.log(analytics.traits, analytics.userId, analytics.anonymousId);
                analytics.track("T", { a: 1 });
                analytics.track("T", null, { extra: true });
                analytics.identify("u", { name: "n" });
                analytics.identify(null, { name: "n" });
                analytics.screen("S", "C", { a: 1 });
                analytics.screen("S", null);
                analytics.group("g", { size: 2 });
                analytics.alias("new");
                analytics.reset();
                analytics.flush();
                """, name: "b.js")
        let context: JSON = ["__eventOrigin": ["type": "js", "version": "7"]]
        #expect(world.bridge.lines == [#"log: {"plan":"pro"} u-1 a-1"#])
        #expect(
            world.bridge.calls == [
                ["track": "T", "properties": ["a": 1], "context": context],
                [
                    "track": "T", "properties": "none",
                    "context": ["__eventOrigin": ["type": "js", "version": "7"], "extra": true],
                ],
                ["identify": "u", "traits": ["name": "n"], "context": context],
                ["identify": "none", "traits": ["name": "n"], "context": context],
                ["screen": "S", "category": "C", "properties": ["a": 1], "context": context],
                ["screen": "S", "category": "none", "properties": "none", "context": context],
                ["group": "g", "traits": ["size": 2], "context": context],
                ["alias": "new", "context": context],
                "reset", "flush",
            ])
    }

    @Test("Example 40: traits and ids of an unknown user are undefined")
    func example40Nobody() throws {
        let world = try LiveWorld("console.log(analytics.traits, analytics.userId, analytics.anonymousId)")
        #expect(world.bridge.lines == ["log: undefined undefined undefined"])
    }

    @Test(
        "A call with wrong arguments is a TypeError and has no effect",
        arguments: [
            "analytics.track()", "analytics.track(1)", "analytics.track('E', 'text')", "analytics.track('E', [1])",
            "analytics.identify(1)", "analytics.screen()", "analytics.screen('S', 1)", "analytics.group()",
            "analytics.alias(null)", "analytics.track('E', {}, 1)", "analytics.add({})", "analytics.add(null)",
            "new Analytics()", "new Analytics('KEY').add.call({}, new LivePlugin('before'))", "storage.getValue(1)",
            "storage.setValue(null, 1)", "storage.setValue('k', () => 1)",
        ])
    func wrongArguments(source: String) throws {
        let world = try LiveWorld()
        let error = #expect(throws: ScriptError.self) { try world.runtime.load(source: source, name: "b.js") }
        #expect(error?.message.hasPrefix("TypeError") == true)
        #expect(world.bridge.calls.isEmpty)
        #expect(world.runtime.registrations.isEmpty)
    }

    @Test("Example 41: a plugin keeps its type and its destination")
    func example41() throws {
        let world = try LiveWorld(
            """
            let a = new LivePlugin(LivePluginType.before), b = new LivePlugin("after", "D");
            a.type = "after"; a.destination = "E";
            console.log(a.type, a.destination, b.type, b.destination);
            """)
        #expect(world.bridge.lines == ["log: before null after D"])
    }

    @Test("Example 41: a plugin that overrides nothing passes every event")
    func example41Plain() throws {
        let world = try LiveWorld(
            """
            let plugin = new (class extends LivePlugin {})(LivePluginType.enrichment);
            for (const type of ["track", "identify", "screen", "group", "alias", "page"]) {
                const event = { type };
                console.log(plugin.process(event) === event, plugin.execute(event) === event);
            }
            """)
        #expect(world.bridge.lines == Array(repeating: "log: true true", count: 6))
    }

    @Test("Examples 42 and 43: the constants have the documented members")
    func examples42And43() throws {
        let world = try LiveWorld(
            """
            LivePluginType.before = "changed";
            console.log(LivePluginType, UpdateType);
            """,
            """
            const LivePluginType = { before: "before", enrichment: "enrichment", after: "after", utility: "utility" }
            const UpdateType = { initial: true, refresh: false }
            """)
        #expect(
            world.bridge.lines == [
                #"log: {"before":"before","enrichment":"enrichment","after":"after","utility":"utility"} "#
                    + #"{"initial":true,"refresh":false}"#
            ])
    }

    @Test("Example 43: an update says whether it is the initial one or a refresh")
    func example43() throws {
        let world = try LiveWorld(
            """
            class Updated extends LivePlugin {
                update(settings, type) {
                    console.log(settings.n, type === UpdateType.initial, type === UpdateType.refresh);
                }
            }
            analytics.add(new Updated(LivePluginType.utility));
            """)
        world.runtime.update(settings: ["n": 1], initial: true)
        world.runtime.update(settings: ["n": 2], initial: false)
        #expect(world.bridge.lines == ["log: 1 true false", "log: 2 false true"])
    }

    @Test(
        "A bundle gets the update's type in the form that its text uses, as a constant or as a text",
        arguments: [
            ("type === 'Initial'", "true false"), ("type === UpdateType.initial && 'Initial'", "Initial false"),
            ("type", "true false"),
            ("[type, UpdateType.refresh, 'Refresh'].join()", "Initial,Refresh,Refresh Refresh,Refresh,Refresh"),
        ])
    func updatesHaveTheFormOfTheBundle(expression: String, expected: String) throws {
        let world = try LiveWorld(
            "class U extends LivePlugin { update(s, type) { console.log(\(expression)) } }; analytics.add(new U('utility'))"
        )
        world.runtime.update(settings: [:], initial: true)
        world.runtime.update(settings: [:], initial: false)
        let lines = world.bridge.lines.map { $0.dropFirst("log: ".count) }
        #expect(lines.joined(separator: " ") == expected)
    }

    // MARK: Adding

    @Test("The type of a plugin may be a number")
    func numericTypes() throws {
        let world = try LiveWorld(
            "for (const type of [0, 1, 3, 4]) console.log(analytics.add(new LivePlugin(type, '')))")
        #expect(world.runtime.registrations.map(\.stage.type) == [.before, .enrichment, .after, .utility])
        #expect(world.runtime.registrations.map(\.stage.destination) == [nil, nil, nil, nil])
        #expect(world.bridge.lines == Array(repeating: "log: true", count: 4))
    }

    @Test(
        "An unknown type of a plugin is an error",
        arguments: ["2", "5", "'destination'", "'Before'", "null", "undefined", "{}", "Symbol('s')"])
    func otherTypes(type: String) throws {
        #expect(throws: ScriptError.self) { _ = try LiveWorld("new LivePlugin(\(type))") }
    }

    @Test("A plugin that is added twice is there once")
    func sameTwice() throws {
        let world = try LiveWorld(
            "let p = new LivePlugin('before'); console.log(analytics.add(p), analytics.add(p))")
        #expect(world.bridge.lines == ["log: true false"])
        #expect(world.runtime.registrations.count == 1)
    }

    @Test("The name of a plugin is the name of its class, with a limit")
    func pluginNames() throws {
        let world = try LiveWorld(
            """
            class Named extends LivePlugin {}
            class Odd extends LivePlugin { static name = 5; }
            class Long extends LivePlugin { static name = "x".repeat(1000); }
            for (const plugin of [Named, Odd, Long]) analytics.add(new plugin("before"));
            """)
        #expect(world.runtime.registrations.map(\.name) == ["Named", "LivePlugin", String(repeating: "x", count: 100)])
    }

    // MARK: Storage

    @Test("The storage keeps values, and removes undefined ones")
    func storage() throws {
        let world = try LiveWorld(
            """
            storage.setValue("object", { a: [1, null] });
            storage.setValue("null", null);
            storage.setValue("gone", 1);
            storage.setValue("gone", undefined);
            storage.setValue("removed", 1);
            storage.removeValue("removed");
            console.log(storage.getValue("object").a, storage.getValue("null"), storage.getValue("gone"),
                storage.getValue("removed"), storage.getValue("missing"));
            """)
        #expect(world.bridge.lines == ["log: [1,null] null undefined undefined undefined"])
        #expect(world.bridge.storage == ["object": ["a": [1, .null]], "null": .null])
    }

    // MARK: Isolation of plugins from each other

    @Test(
        "A script that spoils globals does not harm other plugins",
        arguments: [
            "LivePlugin = null; analytics = null; console = null; storage = null; Analytics = null;",
            "delete globalThis.LivePlugin; delete globalThis.analytics; delete globalThis.LivePluginType;",
            "Object.defineProperty(globalThis, 'LivePlugin', { value: null }); globalThis.analytics = 1;",
            "LivePlugin.prototype.track = () => null; LivePlugin.prototype.process = () => null; LivePlugin.base = 1;",
            "analytics.track = null; Analytics.prototype.add = null; console.log = null; LivePluginType.before = 1;",
            "JSON.parse = JSON.stringify = () => { throw 1 }; JSON = null; Map.prototype.get = null; Object = null;",
            "Array.prototype.push = Array.prototype.filter = Array.prototype.includes = null; String.prototype.slice = 1;",
            "Object.getPrototypeOf([][Symbol.iterator]()).next = () => { throw 1 };",
            "const f = Object.getPrototypeOf(() => 1); f.call = f.apply = f.bind = f[Symbol.hasInstance] = null;",
            "Object.prototype.toJSON = () => 1; Array.prototype.toJSON = () => 1; Object.prototype.destination = 'x';",
            "Error.prototype.toString = () => { throw 1 }; Array.prototype[0] = 5; Symbol.iterator = 1;",
            "globalThis.__runtime = {}; globalThis.__host = 1; String = Number = undefined;",
        ])
    func spoiledGlobals(spoiler: String) throws {
        let world = try LiveWorld(Self.fixProductViewed, spoiler)
        try world.runtime.load(
            source: """
                class Later extends LivePlugin { track(event) { event.properties.later = 1; return event; } }
                analytics.add(new Later(LivePluginType.enrichment));
                """, name: "later.js")
        let result = world.enrich(trackEvent("Product Viewed", ["product_did": "a"]))
        #expect(result.event == trackEvent("Product Viewed", ["product_id": "a", "later": 1]))
        #expect(result.steps.map(\.outcome) == [.changed, .changed])
    }

    @Test("The names of the runtime are hidden from scripts")
    func hiddenNames() throws {
        let world = try LiveWorld("console.log(typeof __runtime, typeof __host, Object.keys(globalThis).length)")
        #expect(world.bridge.lines == ["log: undefined undefined 0"])
    }
}
