import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct RoutingRulesTests {
    static let rule: JSON = [
        "scope": "destinations", "target_type": "workspace::project::destination::config",
        "destinationName": "Mixer",
        "matchers": [["type": "fql", "ir": #"["=","event",{"value":"X"}]"#], ["type": "all"]],
        "transformers": [
            [["type": "drop_properties", "config": ["drop": ["context.device": ["id"]]]]], [["type": "drop"]],
        ],
    ]

    private func refusal(_ rules: JSON, _ strictness: RoutingRules.Strictness = .form) -> String? {
        do throws(Refusal) {
            try RoutingRules.check(rules, for: strictness)
            return nil
        } catch {
            return error.message
        }
    }

    private func refusal(changing change: (inout JSON) -> Void) -> String? {
        var rule = Self.rule
        change(&rule)
        return refusal([rule])
    }

    @Test("Rules in every form that other servers of the field accept are accepted")
    func acceptedRules() {
        #expect(refusal([]) == nil)
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0["destinationName"] = nil } == nil)
        #expect(refusal { $0["destinationName"] = .null } == nil)
        #expect(refusal { $0["scope"] = 5 } == nil)
        #expect(refusal { $0["priority"] = ["unknown": true] } == nil)
        #expect(refusal { $0["matchers"] = [["type": "all"], ["type": "fql", "ir": ""]] } == nil)
        #expect(refusal { $0["matchers"] = [["type": "all"], ["type": "fql"]] } == nil)
        #expect(refusal { $0["transformers"] = [[], [["type": "hash_properties", "config": ["hash": [:]]]]] } == nil)
        #expect(refusal { $0["transformers"] = [[], [["type": "drop", "config": 1]]] } == nil)
        #expect(refusal { $0["matchers"] = [["type": "all"], ["type": "fql", "ir": #"["in","a","b"]"#]] } == nil)
    }

    @Test(
        "Rules that are not a list of objects are refused",
        arguments: ["{}", "null", "[1]", #"["rule"]"#])
    func noList(_ text: String) throws {
        #expect(refusal(try JSON.parse(text)) != nil)
    }

    @Test(
        arguments: [
            ("destinationName", 7, "rule 0, destinationName: the destination must be a text; the rule is left out"),
            ("matchers", nil, "rule 0, matchers: the matchers are missing; the rule removes its data"),
            ("transformers", "drop", "rule 0, transformers: the transformers are not a list; the rule drops"),
            ("matchers", [["type": "all"]], "rule 0, matchers[1]: the matcher is missing; "),
            (
                "matchers", [["type": "all"], ["type": "regex"]],
                "rule 0, matchers[1].type: unknown matcher type 'regex'; "
            ),
            (
                "matchers", [["type": "all"], ["type": "fql", "ir": "[=]"]],
                "rule 0, matchers[1].ir: the IR cannot be read"
            ),
            (
                "matchers", [["type": "all"], ["type": "fql", "ir": #"["or","a",["like","b"]]"#]],
                "rule 0, matchers[1].ir[2]: unknown operator"
            ),
            ("transformers", [[["type": "encrypt"]], []], "rule 0, transformers[0][0].type: unknown transformer type"),
            ("transformers", [["type": "drop"], []], "rule 0, transformers[0]: the transformers are not a list; "),
            (
                "transformers", [[], [["type": "sample_event", "config": ["sample": ["percent": "half"]]]]],
                "rule 0, transformers[1][0].config.sample.percent: must be a number"
            ),
        ] as [(String, JSON?, String)])
    func aFaultIsNamedWithItsRuleAndPlace(member: String, value: JSON?, beginning: String) {
        let message = refusal { $0[member] = value }
        #expect(message?.hasPrefix(beginning) == true, "\(message ?? "taken")")
    }

    @Test("A refusal names the faults of all rules, also of rules for every destination")
    func allFaults() {
        var global = Self.rule
        global["destinationName"] = nil
        global["transformers"] = [[["type": "encrypt"]], [["type": "sample_event"]]]
        var second = Self.rule
        second["matchers"] = nil
        let lines = refusal([Self.rule, global, second])?.split(separator: "\n") ?? []
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("rule 1, transformers[0][0].type"))
        #expect(lines[1].hasPrefix("rule 1, transformers[1][0].config"))
        #expect(lines[2].hasPrefix("rule 2, matchers"))
    }

    @Test func aLongListOfProblemsIsCutShort() {
        let lines = refusal(.array(Array(repeating: 1, count: 30)))?.split(separator: "\n") ?? []
        #expect(lines.count == 21)
        #expect(lines.last == "and 10 more")
    }

    @Test("A rule that cannot do what it says is refused with the right form, unless it is wanted as it is")
    func meaning() {
        var rule = Self.rule
        rule["matchers"] = [["type": "fql", "ir": #"["=","event","Order Completed"]"#], ["type": "all"]]
        #expect(refusal([Self.rule], .meaning) == nil)
        #expect(
            refusal([Self.rule, rule], .meaning)?.contains(#"rule 1, matchers[0].ir[2]: "#) == true)
        #expect(refusal([rule], .meaning)?.contains(#"the value is {"value":"Order Completed"}"#) == true)
        #expect(refusal([rule], .form) == nil)
    }
}
