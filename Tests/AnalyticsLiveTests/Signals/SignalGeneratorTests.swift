import Foundation
import TestSupport
import Testing
import Tributary
import TributaryScript

@testable import AnalyticsLive

/// Generators in a client: what the documentation's examples do, and what happens when generators are wrong.
@Suite struct SignalGeneratorTests {
    /// The generators of the documentation.
    private static let documented = """
        function processSignal(signal) {
           trackScreens(signal)
           trackAddToCart(signal)
        }

        function trackScreens(signal) {
           if (signal.type === SignalType.Navigation && signal.data.action === NavigationAction.Entering) {
               analytics.screen("Screen Viewed", null, {
                   "screenName": signal.data.screen
               })
           }
        }

        function trackAddToCart(signal) {
           // Check for "Add To Cart" button tap
           if (signal.type === SignalType.Interaction && signal.data.title === "Add To Cart") {
               let properties = {}
               
               // Look for recent product network response
               const network = signals.find(signal, SignalType.Network, (s) => {
                   return (s.data.action === NetworkAction.Response && s.data.url.includes("product"))
               })
               
               // Enrich event with product data
               if (network) {
                   properties.price = network.data.data.content.price
                   properties.currency = network.data.data.content.currency ?? "USD"
                   properties.productId = network.data.data.content.id
                   properties.productName = network.data.data.content.title
               }
               
               // Send enriched track event
               analytics.track("Add To Cart", properties)
           }
        }
        """
    private let tap = InteractionSignal(component: "button", title: "Add To Cart")

    private func response(_ content: JSON?) -> NetworkSignal {
        NetworkSignal(
            action: .response, url: "https://shop.example/product/7", statusCode: 200,
            data: content.map { JSON.object(["content": $0]) })
    }

    @Test func examples44And45ScreensBecomeEvents() async {
        let world = SignalWorld(Self.documented)
        world.signals.emit(NavigationSignal(action: .entering, screen: "Home"))
        world.signals.emit(NavigationSignal(action: .leaving, screen: "Home"))
        let events = await world.events()
        #expect(events.count == 1)
        #expect(events.first?["type"] == "screen")
        #expect(events.first?["name"] == "Screen Viewed")
        #expect(events.first?["category"] == nil)
        #expect(events.first?["properties"]?.description == #"{"screenName":"Home"}"#)
        #expect(events.first?["context"]?["__eventOrigin"]?["type"] == "signals")
        #expect(events.first?["context"]?["__eventOrigin"]?["signal"]?.intValue != nil)
    }

    @Test func example46ATapAndTheResponseBeforeItBecomeOneEvent() async {
        let world = SignalWorld(Self.documented)
        world.signals.emit(response(["id": 7, "title": "Lamp", "price": 12.5]))
        world.signals.emit(NetworkSignal(action: .response, url: "https://shop.example/other", statusCode: 200))
        world.signals.emit(tap)
        let events = await world.events()
        #expect(events.compactMap { $0["event"]?.stringValue } == ["Add To Cart"])
        #expect(
            events.first?["properties"]?.description
                == #"{"price":12.5,"currency":"USD","productId":7,"productName":"Lamp"}"#)
    }

    @Test func example46WithoutAResponseThereAreNoProperties() async {
        let world = SignalWorld(Self.documented)
        world.signals.emit(tap)
        #expect(await world.events().first?["properties"]?.description == "{}")
    }

    @Test func example46AResponseWithoutContentIsAFaultAndNoEvent() async {
        let world = SignalWorld(Self.documented)
        world.signals.emit(response(nil))
        world.signals.emit(tap)
        #expect(await world.events().isEmpty)
        let faults = world.client.diagnostics.all(.signals)
        #expect(faults.map(\.plugin) == ["processSignal"])
        #expect(faults.first?.message.contains("TypeError") == true)
    }

    @Test func theAppsOwnTypesReachGenerators() async {
        let world = SignalWorld(
            """
            function processSignal(signal) {
                if (signal.type === SignalType.UserDefined && signal.data.that) analytics.track(signal.data.that)
            }
            """)
        world.signals.emit(SignalModelTests.MyKindaSignal(that: "Robbie Ray Rana"))
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Robbie Ray Rana"])
    }

    @Test func eventsOfGeneratorsMakeNoSignals() async {
        let world = SignalWorld("function processSignal(signal) { analytics.track('Made') }")
        world.client.analytics.track(name: "Tracked")
        let events = await world.events()
        #expect(events.compactMap { $0["event"]?.stringValue } == ["Tracked", "Made"])
        #expect(world.collector.eventTypes == ["track"])
    }

    /// A live plugin makes events of the generators' events, and those make signals again: not for ever.
    @Test func aCircleOfScriptsEnds() async {
        let world = SignalWorld(
            """
            class Echo extends LivePlugin { track(event) { analytics.track("Echo"); return event } }
            analytics.add(new Echo(LivePluginType.enrichment))
            function processSignal(signal) { analytics.track("Made") }
            """)
        world.client.analytics.track(name: "Tracked")
        for _ in 0..<5 { await world.settled() }
        let events = await world.events().count
        for _ in 0..<5 { await world.settled() }
        #expect(await world.events().count == events)
        #expect(events < 50)
    }

    @Test func anotherVersionReplacesTheGeneratorsAndKeepsTheBuffer() async {
        let script = { (version: Int) in
            """
            function processSignal(signal) {
                analytics.track("v\(version)", { seen: signals.signalBuffer.map(s => s.data.screen) })
            }
            """
        }
        let world = SignalWorld(script(1)) { $0.maximumBufferSize = 3 }
        for name in ["a", "b"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        await world.settled()
        await world.client.deploy(version: 2, script(2))
        await world.client.reported(text: "version 2 runs")
        for name in ["c", "d"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        let events = await world.events()
        #expect(events.compactMap { $0["event"]?.stringValue } == ["v1", "v1", "v2", "v2"])
        #expect(
            events.compactMap { $0["properties"]?["seen"]?.description }
                == [#"["a"]"#, #"["b","a"]"#, #"["c","b","a"]"#, #"["d","c","b"]"#])
    }

    @Test func theAppsOwnLivePluginsTakeOver() async {
        let world = SignalWorld("function processSignal(signal) { analytics.track('Made') }")
        await world.settled()
        world.client.analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        await world.settled()
        await world.client.refreshed()
        await world.settled()
        world.signals.emit(tap)
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Made"])
        #expect(world.client.analytics.findAll(pluginType: LivePlugins.self)?.count == 1)
    }

    // MARK: Generators that are wrong

    /// What happens to three signals of which the second is the bad one, and to those after them.
    private func survivors(_ bad: String, budget: LivePluginBudget = LivePluginBudget()) async -> (
        names: [String], faults: [Diagnostic]
    ) {
        let world = SignalWorld(
            """
            function processSignal(signal) {
                if (signal.data.screen === "bad") { \(bad) }
                if (signal.data.screen) analytics.track(signal.data.screen)
            }
            """, livePlugins: LivePlugins(fallbackFileURL: nil, budget: budget))
        for name in ["1", "bad", "2"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        let names = await world.events().compactMap { $0["event"]?.stringValue }
        return (names, world.client.diagnostics.all(.signals))
    }

    @Test func anExceptionCostsItsSignal() async {
        let (names, faults) = await survivors("throw new Error('no')")
        #expect(names == ["1", "2"])
        #expect(faults.count == 1)
        #expect(faults.first?.message.contains("no") == true)
    }

    @Test func anEndlessEmitterIsStoppedAtItsAllowance() async {
        let (names, faults) = await survivors(
            "while (true) analytics.track('more')", budget: LivePluginBudget(eventSeconds: 60))
        #expect(names == ["1"] + Array(repeating: "more", count: 100) + ["2"])
        #expect(faults.first?.message.contains("100 events") == true)
    }

    #if os(Linux)
    @Test func aLoopCostsItsSignal() async {
        let (names, faults) = await survivors("while (true) {}")
        #expect(names == ["1", "2"])
        #expect(faults.first?.message.contains("stopped") == true)
    }

    @Test func aScriptThatFillsTheBufferForEverIsStopped() async {
        let (names, faults) = await survivors("while (true) signals.add(new RawSignal('userDefined', {}))")
        #expect(names == ["1", "2"])
        #expect(faults.count == 1)
    }
    #endif

    #if os(Linux)
    /// A budget that loops break soon, also with the first signal, and nothing else does.
    private static let short = LivePluginBudget(eventSeconds: 0.05, loadSeconds: 0.05)

    @Test func threeLoopsSwitchGeneratorsOffUntilTheNextVersion() async {
        let world = SignalWorld(
            "function processSignal(signal) { for (;;); }",
            livePlugins: LivePlugins(fallbackFileURL: nil, budget: Self.short))
        for _ in 0..<6 { world.signals.emit(tap) }
        world.client.analytics.track(name: "Tracked")
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Tracked"])
        let faults = world.client.diagnostics.all(.signals)
        #expect(faults.count == 3, "the fourth is not tried")
        #expect(faults.allSatisfy { $0.message.contains("stopped after 50 ms") })
        #expect(faults.map { $0.message.contains("generators are off") } == [false, false, true])
        #expect(world.collector.signals.count == 7, "broadcasters get signals all the same")
        await world.client.deploy(version: 2, "function processSignal(signal) { analytics.track('Made') }")
        await world.client.reported(text: "version 2 runs")
        world.signals.emit(tap)
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Tracked", "Made"])
    }

    @Test func twoLoopsLeaveAGeneratorOn() async {
        let world = SignalWorld(
            """
            function processSignal(signal) {
                if (signal.data.screen.startsWith("bad")) for (;;);
                analytics.track(signal.data.screen)
            }
            """, livePlugins: LivePlugins(fallbackFileURL: nil, budget: Self.short))
        for name in ["1", "bad 1", "bad 2", "2"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["1", "2"])
        #expect(world.client.diagnostics.all(.signals).count == 2)
    }

    /// What a generator does once, at its first signal, is measured like loading. It needs the processor for ten ticks of the
    /// watchdog; what needs less is never stopped.
    @Test func theFirstSignalHasTheTimeOfLoading() throws {
        let world = try LiveWorld(
            """
            function processSignal(signal) {
                if (signal.data.screen !== "first") for (;;);
                let sum = 0
                for (const end = Date.now() + 100; Date.now() < end || sum < 2e6; sum++);
                analytics.track(signal.data.screen)
            }
            """, budget: LivePluginBudget(eventSeconds: 0.02, loadSeconds: 60))
        try world.process(NavigationSignal(action: .page, screen: "first"))
        let breach = #expect(throws: ScriptError.self) {
            try world.process(NavigationSignal(action: .page, screen: "second"))
        }
        #expect(breach?.message.contains("stopped after 20 ms") == true)
        #expect(world.bridge.calls.compactMap { $0["track"]?.stringValue } == ["first"])
    }
    #endif

    @Test func repeatedFaultsSwitchGeneratorsOffUntilTheNextVersion() async {
        let world = SignalWorld(
            "function processSignal(signal) { throw new Error('no') }",
            livePlugins: LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(faults: 3)))
        for _ in 0..<10 { world.signals.emit(tap) }
        await world.settled()
        #expect(world.client.diagnostics.all(.signals).count == 3)
        #expect(world.collector.signals.count == 10)
        await world.client.deploy(version: 2, "function processSignal(signal) { analytics.track('Made') }")
        await world.client.reported(text: "version 2 runs")
        world.signals.emit(tap)
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Made"])
    }
}
