import Testing
import TributaryJSON
import TributaryRuleCompiler
import TributaryRules

@testable import AnalyticsLive

/// The JSON of programs, and programs of any origin.
@Suite(.timeLimit(.minutes(30))) struct RuleProgramTests {
    private static let script = """
        const NAMES = { "a*/b": "c" }
        class P extends LivePlugin {
            track(event) {
                event.event = NAMES[event.event] ?? event.event
                return event
            }
        }
        analytics.add(new P(LivePluginType.enrichment, "D"))
        """

    private static func program(_ script: String = script) throws -> RuleProgram {
        try #require(RuleCompiler.compile(script).program)
    }

    private static let head =
        #"{"format":1,"constants":[],"plugins":[],"functions":[{"slots":1,"parameters":1,"strict":true,"body":"#

    @Test("A program comes out of its JSON as it went in")
    func roundTrip() throws {
        let program = try Self.program()
        #expect(try RuleProgram(text: program.json.description) == program)
        let parts = RuleProgram.parts(of: program.line + Self.script)
        #expect(try RuleProgram(text: try #require(parts.data)) == program)
        #expect(parts.script == Self.script)
        #expect(program.line.utf8.filter { $0 == 0x0A }.count == 1)
    }

    @Test("A text is divided only behind a whole first line with data")
    func division() {
        for text in ["", "let a = 1", "/*tributary data {}", "/*tributary data {}\nx", " /*tributary data {}*/\nx"] {
            #expect(RuleProgram.parts(of: text).data == nil)
            #expect(RuleProgram.parts(of: text).script == text)
        }
        #expect(RuleProgram.parts(of: "/*tributary data {}*/\nx").data == "{}")
    }

    @Test(
        "What is no program is an error that says why",
        arguments: [
            ("", "no JSON"), ("{}", "format"), (#"{"format":2}"#, "format"), (#"{"format":1}"#, "has constants"),
            (head + #"["return",1,null]}]}"#, "is a block"),
            (head + #"["block",["return",1,["slot",1]]]}]}"#, "not there"),
            (head + #"["block",["return",1,["call",0]]]}]}"#, "not there"),
            (head + #"["block",["return",1,["constant",0]]]}]}"#, "not there"),
            (head + #"["block",["return",1,["method","eval",["slot",0]]]]}]}"#, "not there"),
            (head + #"["block",["return",1,["wrong"]]]}]}"#, "name of an operation"),
            (head + #"["block",["return",1,["not"]]]}]}"#, "children"),
            (head + #"["block",["return",1,["number","1"]]]}]}"#, "lacks its value"),
            (head + #"["block",["run",1,["block"]]]}]}"#, "not there"),
            (head + #"["block",["slot",0]]}]}"#, "not there"),
            (head + #"["block",["return",1,["spread",["slot",0]]]]}]}"#, "not there"),
        ])
    func hostile(text: String, reason: String) {
        do {
            _ = try RuleProgram(text: text)
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains(reason), "\(error)")
        }
    }

    @Test("Nodes that are nested too deep are refused, also through the functions that they call")
    func depth() throws {
        let deep = String(repeating: #"["not","#, count: 98) + #"["slot",0]"# + String(repeating: "]", count: 98)
        #expect(throws: RuleProgramError.self) {
            try RuleProgram(text: Self.head + #"["block",["return",1,\#(deep)]]}]}"#)
        }
        let half = String(repeating: #"["not","#, count: 60)
        let one =
            #"{"slots":1,"parameters":1,"strict":true,"body":["block",["return",1,\#(half)["slot",0]\#(String(repeating: "]", count: 60))]]}"#
        let two =
            #"{"slots":1,"parameters":1,"strict":true,"body":["block",["return",1,\#(half)["call",0,["slot",0]]\#(String(repeating: "]", count: 60))]]}"#
        let head = #"{"format":1,"constants":[],"plugins":[],"functions":["#
        _ = try RuleProgram(text: head + one + "]}")
        #expect(throws: RuleProgramError.self) { try RuleProgram(text: head + one + "," + two + "]}") }
    }

    @Test("A program that would run long is stopped by its steps, and its plugin is off")
    func steps() throws {
        let program = try Self.program(
            """
            class P extends LivePlugin {
                track(event) {
                    const list = [1]
                    for (const x of list) list.push(x)
                    return event
                }
            }
            class Q extends LivePlugin {
                track(event) {
                    for (let i = 0; i < 1e9; i++) event.properties.n = i
                    return null
                }
            }
            analytics.add(new P("enrichment"))
            analytics.add(new Q("enrichment"))
            """)
        let runtime = RuleRuntime(
            program, writeKey: "KEY", version: "1", fileName: "f.js", bridge: RecordingBridge())
        let result = runtime.run(type: .enrichment, event: trackEvent())
        #expect(result.event == trackEvent())
        #expect(result.steps.count == 2)
        #expect(runtime.registrations.map(\.isOff) == [true, true])
    }

    @Test("A fault names the line of the script")
    func faultLine() throws {
        let runtime = RuleRuntime(
            try Self.program(
                """
                class P extends LivePlugin {
                    track(event) {
                        if (event.properties) {
                            event.missing.member = 1
                        }
                        return event
                    }
                }
                analytics.add(new P("enrichment"))
                """), writeKey: "KEY", version: "1", fileName: "f.js", bridge: RecordingBridge())
        let fault = runtime.run(type: .enrichment, event: trackEvent()).steps.first?.fault
        #expect(fault?.line == 4)
        #expect(fault?.file == "f.js")
        #expect(fault?.message == "TypeError: undefined has no members")
    }

    @Test("A constant that a plugin changes is a fault, because the change would stay for later events")
    func constants() throws {
        let runtime = RuleRuntime(
            try Self.program(
                """
                const SHARED = { a: { b: 1 } }
                class P extends LivePlugin {
                    track(event) {
                        event.properties.shared = SHARED.a
                        event.properties.shared.b = 2
                        return event
                    }
                }
                analytics.add(new P("enrichment"))
                """), writeKey: "KEY", version: "1", fileName: "f.js", bridge: RecordingBridge())
        let result = runtime.run(type: .enrichment, event: trackEvent())
        #expect(result.event == trackEvent())
        #expect(result.steps.first?.fault?.message == "it changes a constant of the script")
    }
}
