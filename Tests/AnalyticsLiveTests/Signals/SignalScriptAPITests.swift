import Foundation
import Testing
import Tributary
import TributaryScript

@testable import AnalyticsLive

/// The members of signals in scripts, as the documentation lists them.
@Suite struct SignalScriptAPITests {
    /// The values that a script passes to `tell` while it processes the signals.
    private func told(_ script: String, signals: [any RawSignal] = []) throws -> [JSON] {
        let world = try LiveWorld("const tell = (value) => analytics.track('told', { value })\n" + script)
        world.bridge.anonymousId = "anon"
        for signal in signals { try world.process(signal) }
        return world.bridge.calls.compactMap { $0["properties"]?["value"] }
    }

    private func screen(_ name: String, index: Int = 0) -> NavigationSignal {
        var signal = NavigationSignal(action: .entering, screen: name)
        signal.index = index
        return signal
    }

    @Test(
        "Examples 47 to 51: the constants have the documented members and are frozen",
        arguments: [
            (
                "SignalType",
                """
                {"Interaction":"interaction","Navigation":"navigation","Network":"network","LocalData":"localData",\
                "Instrumentation":"instrumentation","UserDefined":"userDefined"}
                """
            ),
            (
                "NavigationAction",
                """
                {"Forward":"forward","Backward":"backward","Modal":"modal","Entering":"entering","Leaving":"leaving",\
                "Page":"page","Popup":"popup"}
                """
            ),
            ("NetworkAction", #"{"Request":"request","Response":"response"}"#),
            (
                "LocalDataAction",
                """
                {"Loaded":"loaded","Updated":"updated","Saved":"saved","Deleted":"deleted","Undefined":"undefined"}
                """
            ),
            (
                "EventType",
                #"{"Track":"track","Screen":"screen","Identify":"identify","Group":"group","Alias":"alias"}"#
            ),
        ])
    func examples47To51(name: String, members: String) throws {
        let told = try told("tell(\(name)); \(name).Extra = 1; tell(Object.isFrozen(\(name)))")
        #expect(told.first?.description == members)
        #expect(told.last == true)
    }

    @Test(
        "Examples 52 to 57: the classes of signals make signals of their type",
        arguments: [
            (
                "new NavigationSignal(NavigationAction.Entering, 'Home')", "navigation",
                #"{"action":"entering","screen":"Home"}"#
            ),
            (
                "new InteractionSignal('button', 'Buy', { id: 1 })", "interaction",
                #"{"component":"button","title":"Buy","info":"Buy","data":{"id":1}}"#
            ),
            (
                "new NetworkSignal(NetworkAction.Request, 'https://a.example', { content: 1 })", "network",
                #"{"action":"request","url":"https://a.example","data":{"content":1}}"#
            ),
            (
                "new LocalDataSignal(LocalDataAction.Saved, 'cart', { n: 1 })", "localData",
                #"{"action":"saved","identifier":"cart","data":{"n":1}}"#
            ),
            (
                "new InstrumentationSignal({ type: 'track', event: 'A' })", "instrumentation",
                #"{"type":"track","rawEvent":{"type":"track","event":"A"}}"#
            ),
            (
                "new InstrumentationSignal({ type: 'page' })", "instrumentation",
                #"{"type":"unknown","rawEvent":{"type":"page"}}"#
            ),
            ("new RawSignal(SignalType.UserDefined, { a: 1 })", "userDefined", #"{"a":1}"#),
        ])
    func examples52To57(expression: String, type: String, data: String) throws {
        let told = try told(
            """
            const made = () => \(expression)
            function processSignal() {
                const signal = made()
                signals.add(signal)
                tell(signal.type); tell(signal.data); tell(signal.anonymousId)
                tell([signal instanceof RawSignal, signal.timestamp instanceof Date, signal.index])
            }
            """, signals: [screen("Home")])
        #expect(told.map(\.description) == ["\"\(type)\"", data, "\"anon\"", "[true,true,0]"])
    }

    @Test("Members of signals have the documented and the current names, and only documented ones are enumerated")
    func bothShapes() throws {
        var interaction = InteractionSignal(component: "button", title: "Buy", data: ["id": 1])
        interaction.index = 1
        var response = NetworkSignal(
            data: NetworkData(action: .response, url: "https://a.example", statusCode: 200, data: ["content": ["n": 2]])
        )
        response.index = 2
        let told = try told(
            """
            function processSignal({ data }) {
                tell([data.currentScreen, data.target?.title, data.target?.data.id, data.body?.content.n, data.body?.data.n])
                tell([Object.keys(data).includes("target"), JSON.stringify({ ...data }) === JSON.stringify(data)])
                tell(Object.keys(data))
            }
            """, signals: [screen("Home"), interaction, response])
        #expect(told[0] == ["Home", .null, .null, .null, .null])
        #expect(told[3] == [.null, "Buy", 1, .null, .null])
        #expect(told[6] == [.null, .null, .null, 2, 2])
        #expect([told[1], told[4], told[7]].allSatisfy { $0 == [false, true] })
        #expect(told[2] == ["action", "screen"])
        #expect(told[5] == ["component", "title", "info", "data"])
    }

    @Test("Signals that scripts make have both names of their members, and a member that the script sets stays")
    func shapesOfScripts() throws {
        let told = try told(
            """
            tell(new InteractionSignal("button", "Buy", { id: 1 }).data.target.title)
            tell(new NavigationSignal("entering", "Home").data.currentScreen)
            tell(new RawSignal(SignalType.Navigation, { currentScreen: "Cart" }).data.screen)
            tell(new RawSignal(SignalType.Interaction, { target: { title: "Own" } }).data.target.title)
            tell(new RawSignal(SignalType.Navigation, {}).data.screen ?? "none")
            const changed = new NavigationSignal("entering", "Home")
            changed.data.currentScreen = "Other"
            tell(changed.data)
            """)
        #expect(
            told.map(\.description) == [
                #""Buy""#, #""Home""#, #""Cart""#, #""Own""#, #""none""#,
                #"{"action":"entering","screen":"Home","currentScreen":"Other"}"#,
            ])
    }

    @Test("Example 58: the buffer has the newest signal first, and a bound")
    func example58() throws {
        let told = try told(
            """
            tell([signals instanceof Signals, signals.maxBufferSize, signals.signalBuffer.length, signals.signalCounter])
            const own = new Signals()
            for (let n = 0; n < 1001; n++) own.add(new RawSignal(SignalType.UserDefined, n))
            tell([own.signalBuffer.length, own.signalBuffer[0].data, own.signalBuffer[999].data, own.signalCounter])
            tell([own.getNextIndex(), own.getNextIndex(), signals.signalBuffer.length])
            """)
        #expect(told.map(\.description) == ["[true,1000,0,0]", "[1000,1000,1,1001]", "[1001,1002,0]"])
    }

    @Test("Example 59: the global buffer is there before the bundle runs")
    func example59() throws {
        let told = try told("tell([signals instanceof Signals, signals.signalBuffer.length])")
        #expect(told.map(\.description) == ["[true,0]"])
        // With the document's own line the bundle has a buffer of its own, which the app's signals do not reach.
        let own = try self.told(
            """
            let signals = new Signals()    // Global signals buffer instance
            function processSignal(signal) { tell(signals.signalBuffer.length) }
            """, signals: [screen("Home")])
        #expect(own == [0])
    }

    @Test(
        "Example 59: a bundle that declares the global buffer itself is told to leave that out",
        arguments: [
            ("let signals = new Signals()", true), ("const signals = new Signals(); signals.maxBufferSize = 5", true),
            ("let signals = new (class Own extends Signals {})()", true), ("var signals = new Signals()", false),
            ("const own = new Signals()", false), ("signals.add(new RawSignal('userDefined', 1))", false),
            ("const signals = ['a']", false), ("function f() { const signals = new Signals() } f()", false),
        ])
    func example59IsTold(_ script: String, _ isTold: Bool) throws {
        let advice = try LiveWorld(script).runtime.signalAdvice
        #expect((advice != nil) == isTold)
        if isTold { #expect(advice?.contains("leave the declaration out, because signals is there already") == true) }
    }

    @Test("Classes that a script calls without new say what to do, and stay classes")
    func withoutNew() throws {
        for (script, words) in [
            ("let analytics = Analytics('KEY')", "analytics is there already"),
            ("let signals = Signals()", "signals has those of the app"),
        ] {
            let error = #expect(throws: ScriptError.self) { _ = try LiveWorld("let a = 1\n" + script) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            #expect(error?.line == 2)
            #expect(error?.file == "bundle0.js")
        }
        let told = try told(
            """
            class Own extends Analytics {}
            class Buffer extends Signals {}
            tell([new Own('KEY') instanceof Analytics, new Buffer() instanceof Signals, signals instanceof Signals])
            tell([analytics instanceof Analytics, analytics.constructor.name, Analytics.name, Signals.name])
            Analytics.prototype.track = 1; Signals.extra = 1
            tell([typeof Analytics.prototype.track, typeof Signals.extra])
            """)
        #expect(
            told.map(\.description) == [
                "[true,true,true]", #"[true,"Analytics","Analytics","Signals"]"#, #"["function","undefined"]"#,
            ])
    }

    /// The document's example of adding signals: one index with those of the app, newest first.
    @Test("Example 60: signals of scripts and of the app share one index")
    func example60() throws {
        let world = try LiveWorld(
            """
            let navSignal = new NavigationSignal(
               NavigationAction.Entering,
               "ProductDetail"
            )
            signals.add(navSignal)
            let buttonSignal = new InteractionSignal(
               "button",
               "Add to Cart",
               { productId: "123" }
            )
            signals.add(buttonSignal)
            function processSignal() {
                analytics.track("told", { value: signals.signalBuffer.map(s => [s.index, s.data.info ?? s.data.screen]) })
            }
            """)
        try world.process(screen("Cart", index: world.bridge.nextSignalIndex()))
        #expect(
            world.bridge.calls.last?["properties"]?["value"]?.description
                == #"[[2,"Cart"],[1,"Add to Cart"],[0,"ProductDetail"]]"#)
    }

    @Test("Signals of the app have the classes and members of signals of scripts")
    func appSignals() throws {
        var tap = InteractionSignal(component: "button", title: "Buy", data: ["a": 1])
        tap.index = 3
        tap.timestamp = "2026-01-02T03:04:05.006Z"
        let told = try told(
            """
            function processSignal(signal) {
                tell([signal instanceof InteractionSignal, signal.timestamp instanceof Date, signal.timestamp.getTime()])
                tell([signal.index, signal.data.title, signal.data.info, signals.signalCounter])
                tell(signals.signalBuffer[0] === signal)
            }
            """, signals: [tap])
        #expect(told.map(\.description) == ["[true,true,1767323045006]", #"[3,"Buy","Buy",4]"#, "true"])
    }

    @Test("Example 58: find takes each of its arguments, or none")
    func example58Find() throws {
        let told = try told(
            """
            const buffer = new Signals()
            const [a, b, c] = ["a", "b", "c"].map(name => new NavigationSignal(NavigationAction.Page, name))
            const tap = new InteractionSignal("button", "x")
            for (const signal of [a, tap, b, c]) buffer.add(signal)
            const name = (signal) => signal === null ? null : signal.data.screen ?? signal.data.info
            tell(name(buffer.find()))
            tell(name(buffer.find(null, null, null)))
            tell(name(buffer.find(b)))
            tell(name(buffer.find(b, SignalType.Interaction)))
            tell(name(buffer.find(c, SignalType.Navigation, s => s.data.screen < "c")))
            tell(name(buffer.find(null, null, s => s.data.screen.startsWith("a"))))
            tell(name(buffer.find(null, SignalType.Network)))
            tell(name(buffer.find(new RawSignal("navigation", {}), undefined, s => s === a)))
            """)
        #expect(told.map(\.description) == [#""c""#, #""c""#, #""b""#, #""x""#, #""b""#, #""a""#, "null", #""a""#])
    }

    @Test("Example 58: findAndApply calls its function once and returns the found signal")
    func example58FindAndApply() throws {
        let told = try told(
            """
            const buffer = new Signals()
            buffer.add(new InteractionSignal("button", "old"))
            buffer.add(new InteractionSignal("button", "new"))
            let count = 0
            const hit = buffer.findAndApply(null, SignalType.Interaction, s => s.data.component === "button", (s) => {
                count += 1
                s.data.seen = true
            })
            tell([count, hit.data.info, hit.data.seen])
            tell(buffer.findAndApply(null, SignalType.Network, null, () => { count += 1 }) === null && count === 1)
            """)
        #expect(told.map(\.description) == [#"[1,"new",true]"#, "true"])
    }

    /// The document's examples of finding signals.
    @Test("Example 61: a generator finds related signals")
    func example61() throws {
        let world = try LiveWorld(
            """
            function processSignal(currentSignal) {
                if (currentSignal.type !== SignalType.UserDefined) return
                let networkSignal = signals.find(
                   currentSignal,
                   SignalType.Network,
                   (signal) => {
                       return signal.data.action === NetworkAction.Response
                   }
                )
                console.log(networkSignal.data.url)
                signals.findAndApply(
                   currentSignal,
                   SignalType.Interaction,
                   (signal) => signal.data.component === "button",
                   (found) => {
                       console.log("Found related interaction:", found)
                   }
                )
            }
            """)
        try world.process(NetworkSignal(action: .response, url: "https://a.example", statusCode: 200))
        try world.process(NetworkSignal(action: .request, url: "https://b.example"))
        try world.process(InteractionSignal(component: "button", title: "Buy"))
        try world.process(SignalModelTests.MyKindaSignal(that: "x"))
        #expect(world.bridge.lines.first == "log: https://a.example")
        #expect(world.bridge.lines.last?.hasPrefix("log: Found related interaction: ") == true)
        #expect(world.bridge.lines.last?.contains("Buy") == true)
    }

    @Test("Signals that the app no longer keeps leave the buffer of scripts")
    func bufferBytes() throws {
        let world = try LiveWorld(
            "function processSignal() { analytics.track('told', { value: signals.signalBuffer.length }) }")
        for index in 0..<4 { try world.process(screen("\(index)", index: index), oldest: max(0, index - 1)) }
        #expect(world.bridge.calls.compactMap { $0["properties"]?["value"]?.intValue } == [1, 2, 2, 2])
    }

    @Test("A bundle may declare processSignal as a function, a constant or a global member")
    func declarations() throws {
        #expect(try told("const processSignal = (signal) => tell(1)", signals: [screen("a")]) == [1])
        #expect(try told("globalThis.processSignal = (signal) => tell(2)", signals: [screen("a")]) == [2])
        #expect(try told("var processSignal = 3", signals: [screen("a")]).isEmpty)
    }

    @Test("Numbers of signals that JavaScript cannot hold stay exact")
    func exactNumbers() throws {
        var signal = InteractionSignal(component: "button", title: nil, data: ["id": 9_007_199_254_740_993])
        signal.index = 1
        let told = try told("function processSignal(signal) { tell(signal.data.data.id) }", signals: [signal])
        #expect(told.map(\.description) == ["9007199254740993"])
    }
}

extension LiveWorld {
    /// A signal of the app through the bundle.
    func process(_ signal: any RawSignal, oldest: Int = 0) throws {
        var signal = signal
        if signal.index < 0 { signal.index = bridge.nextSignalIndex() }
        let record = try SignalRecord(signal)
        try runtime.process(record.json, text: record.text, distance: 0, oldest: oldest)
    }
}
