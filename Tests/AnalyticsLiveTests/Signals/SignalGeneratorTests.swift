import Foundation
import TestSupport
import Testing
import Tributary
import TributaryScript

@testable import AnalyticsLive

/// Generators in a client: the documentation's examples, and generators with mistakes.
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

    @Test("Examples 44 and 45: a generator makes a screen event of a navigation signal")
    func examples44And45() async {
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

    @Test("Example 46: a generator makes one event of a tap and the response before it")
    func example46() async {
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

    @Test("Example 46: without a response the event has no properties")
    func example46NoResponse() async {
        let world = SignalWorld(Self.documented)
        world.signals.emit(tap)
        #expect(await world.events().first?["properties"]?.description == "{}")
    }

    @Test("Example 46: a response without content is a fault, and makes no event")
    func example46NoContent() async {
        let world = SignalWorld(Self.documented)
        world.signals.emit(response(nil))
        world.signals.emit(tap)
        #expect(await world.events().isEmpty)
        let faults = world.client.diagnostics.all(.signals)
        #expect(faults.map(\.plugin) == ["processSignal"])
        #expect(faults.first?.message.contains("TypeError") == true)
    }

    @Test("Signals of an app's own type reach generators")
    func ownTypes() async {
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

    /// A live plugin makes events of the generators' events, and these events make signals again. The circle must end.
    @Test("A circle of events and signals between scripts ends")
    func circle() async {
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

    @Test("A new version replaces the generators and keeps the buffer")
    func replacement() async {
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
        for name in ["c", "d"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        let events = await world.events()
        #expect(events.compactMap { $0["event"]?.stringValue } == ["v1", "v1", "v2", "v2"])
        #expect(
            events.compactMap { $0["properties"]?["seen"]?.description }
                == [#"["a"]"#, #"["b","a"]"#, #"["c","b","a"]"#, #"["d","c","b"]"#])
    }

    @Test("Live plugins that the app adds later run the generators once")
    func ownLivePlugins() async {
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

    /// The events and faults of three signals, of which the second runs the bad code.
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

    @Test("An exception of a generator costs the events of one signal")
    func exception() async {
        let (names, faults) = await survivors("throw new Error('no')")
        #expect(names == ["1", "2"])
        #expect(faults.count == 1)
        #expect(faults.first?.message.contains("no") == true)
    }

    @Test("A generator that tracks without end is stopped after 100 events")
    func endlessEmitter() async {
        let (names, faults) = await survivors(
            "while (true) analytics.track('more')", budget: LivePluginBudget(eventSeconds: 60))
        #expect(names == ["1"] + Array(repeating: "more", count: 100) + ["2"])
        #expect(faults.first?.message.contains("100 events") == true)
    }

    #if os(Linux)
    @Test("An endless loop of a generator costs the events of one signal")
    func loop() async {
        let (names, faults) = await survivors("while (true) {}")
        #expect(names == ["1", "2"])
        #expect(faults.first?.message.contains("stopped") == true)
    }

    @Test("A generator that adds signals to the buffer without end is stopped")
    func fillsBuffer() async {
        let (names, faults) = await survivors("while (true) signals.add(new RawSignal('userDefined', {}))")
        #expect(names == ["1", "2"])
        #expect(faults.count == 1)
    }
    #endif

    #if os(Linux)
    /// A budget that loops break soon, also with the first signal, and nothing else does.
    private static let short = LivePluginBudget(eventSeconds: 0.05, loadSeconds: 0.05)

    @Test("Three endless loops switch generators off until the next version")
    func threeLoops() async {
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
        world.signals.emit(tap)
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Tracked", "Made"])
    }

    @Test("Two endless loops leave a generator on")
    func twoLoops() async {
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

    /// The first signal of a generator has the budget of loading. The generator here uses the processor for ten ticks
    /// of the watchdog; a shorter one is never stopped.
    @Test("The first signal of a generator has the time budget of loading")
    func firstSignal() throws {
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

    @Test("Repeated faults switch generators off until the next version")
    func repeatedFaults() async {
        let world = SignalWorld(
            "function processSignal(signal) { throw new Error('no') }",
            livePlugins: LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(faults: 3)))
        for _ in 0..<10 { world.signals.emit(tap) }
        await world.settled()
        #expect(world.client.diagnostics.all(.signals).count == 3)
        #expect(world.collector.signals.count == 10)
        await world.client.deploy(version: 2, "function processSignal(signal) { analytics.track('Made') }")
        world.signals.emit(tap)
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Made"])
    }
}
