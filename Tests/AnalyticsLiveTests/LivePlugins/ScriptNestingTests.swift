import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

#if os(Linux)
/// A value that a script nests deeper than an event may be nested costs only itself, as one of the app does.
@Suite struct ScriptNestingTests {
    /// `deep(n)` makes n arrays inside of each other.
    private static let deep = """
        function deep(levels) { let value = "x"; for (let i = 0; i < levels; i++) value = [value]; return value }

        """

    /// What stays of a property: the arrays down to the deepest level that an event may have.
    private static let shortened = (0..<JSONLimits.eventDepth - 3).reduce(JSON.array([])) { inner, _ in .array([inner])
    }

    private func client(_ script: String) -> Client {
        Deployment.client(
            Self.deep + script,
            plugin: LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(eventSeconds: 60, loadSeconds: 60)))
    }

    private func check(_ client: Client, levels: Int) async {
        let properties = client.server.events.first { ($0["properties"] ?? $0["traits"])?["id"] == 1 }
        let values = properties?["properties"] ?? properties?["traits"]
        #expect(values?["deep"] == Self.shortened, "\(levels)")
        #expect(values?["beside"] == 2)
        await client.reported(reason: "too_deep")
        #expect(client.diagnostics.all(.pluginFault).isEmpty)
    }

    @Test(
        "An event that a plugin returns loses only the value that is nested too deep",
        arguments: [119, 120, 124, 126, 130, 500, 5_000, 50_000])
    func returned(levels: Int) async {
        let client = client(
            """
            class Deep extends LivePlugin {
                track(event) { event.properties.deep = deep(\(levels)); event.properties.beside = 2; return event }
            }
            analytics.add(new Deep(LivePluginType.enrichment))
            """)
        client.analytics.track(name: "A", properties: ["id": 1])
        await client.flushed()
        await check(client, levels: levels)
        #expect(client.server.events.count == 1)
    }

    @Test("Plugins after it get the event, and their changes stay", arguments: [119, 500, 5_000])
    func laterPlugins(levels: Int) async {
        let client = client(
            """
            class Deep extends LivePlugin { track(event) { event.properties.deep = deep(\(levels)); return event } }
            class Later extends LivePlugin { track(event) { event.properties.beside = 2; return event } }
            analytics.add(new Deep(LivePluginType.enrichment))
            analytics.add(new Later(LivePluginType.enrichment))
            """)
        client.analytics.track(name: "A", properties: ["id": 1])
        await client.flushed()
        await check(client, levels: levels)
    }

    @Test(
        "Events that scripts make lose only the value that is nested too deep",
        arguments: [
            "analytics.track('Made', values)", "analytics.identify('u', values)", "analytics.group('g', values)",
            "analytics.screen('S', null, values)",
        ], [119, 124, 130, 5_000, 50_000])
    func made(call: String, levels: Int) async {
        let client = client(
            """
            class Maker extends LivePlugin {
                track(event) {
                    if (event.event !== "A") return event
                    const values = { id: 1, beside: 2, deep: deep(\(levels)) }
                    \(call)
                    return event
                }
            }
            analytics.add(new Maker(LivePluginType.enrichment))
            """)
        client.analytics.track(name: "A")
        await client.flushed()
        await client.flushed()
        await check(client, levels: levels)
        #expect(client.server.events.count == 2)
    }

    @Test("An event that a generator makes loses only the value that is nested too deep", arguments: [119, 500, 5_000])
    func generator(levels: Int) async {
        let world = SignalWorld(
            Self.deep
                + "function processSignal(signal) { analytics.track('Made', { id: 1, beside: 2, deep: deep(\(levels)) }) }"
        )
        world.signals.emit(InteractionSignal(component: "button", title: "Tap"))
        let events = await world.events()
        #expect(events.map { $0["properties"]?["deep"] } == [Self.shortened])
        #expect(events.first?["properties"]?["beside"] == 2)
        await world.client.reported(reason: "too_deep")
    }

    @Test("A signal with a value that is nested deeply reaches the generator, and the event goes on without the value")
    func signalData() async {
        let world = SignalWorld(
            "function processSignal(signal) { analytics.track('Made', { id: 1, ...signal.data.data }) }")
        let nested = (0..<119).reduce(JSON.string("x")) { inner, _ in .array([inner]) }
        world.signals.emit(InteractionSignal(component: "button", title: "Tap", data: ["deep": nested, "beside": 2]))
        let events = await world.events()
        #expect(events.map { $0["properties"]?["deep"] } == [Self.shortened])
        #expect(events.first?["properties"]?["beside"] == 2)
    }

    @Test("structuredClone copies values of any depth", arguments: [100, 5_000, 50_000])
    func structuredClone(levels: Int) async throws {
        let world = try LiveWorld(
            Self.deep + """
                class Copier extends LivePlugin {
                    track(event) {
                        let copy = structuredClone(deep(\(levels))), count = 0
                        while (typeof copy !== "string") { copy = copy[0]; count += 1 }
                        const shared = [1], twice = structuredClone({ a: shared, b: shared, m: new Map([[shared, shared]]) })
                        const cycle = {}; cycle.me = cycle
                        event.properties = {
                            count, isShared: twice.a === twice.b && twice.m.get(twice.a) === twice.a && twice.a !== shared,
                            isCycle: (copy = structuredClone(cycle)) === copy.me && copy !== cycle,
                        }
                        return event
                    }
                }
                analytics.add(new Copier(LivePluginType.enrichment))
                """, budget: LivePluginBudget(eventSeconds: 60, loadSeconds: 60))
        let result = world.enrich(trackEvent())
        #expect(
            result.event?["properties"] == ["count": .number(JSONNumber(levels)), "isShared": true, "isCycle": true])
    }

    @Test("An object with very many shared parts is the plugin's fault, soon, whatever its depth")
    func sharedParts() throws {
        let world = try LiveWorld(
            """
            class Shared extends LivePlugin {
                track(event) {
                    let a = [1]
                    for (let i = 0; i < 200; i++) a = [a, a]
                    analytics.track("Made", { a })
                    return event
                }
            }
            analytics.add(new Shared(LivePluginType.enrichment))
            """, budget: LivePluginBudget(eventSeconds: 60, loadSeconds: 60))
        let result = world.enrich(trackEvent())
        #expect(result.event == trackEvent())
        #expect(result.steps.first?.fault != nil)
    }
}
#endif
