import Testing
import TributaryJSON

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

    private func fault(_ change: (inout JSON) -> Void) -> String? {
        var rule = Self.rule
        change(&rule)
        do throws(APIError) {
            try RoutingRules.check([rule])
            return nil
        } catch {
            return error.message
        }
    }

    @Test func aRuleOfTheProtocolPasses() throws {
        #expect(fault { _ in } == nil)
        #expect(fault { $0["destinationName"] = nil } == nil)
        try RoutingRules.check([])
    }

    @Test(arguments: ["{}", "null", "[1]", #"["rule"]"#])
    func whatIsNoListOfObjectsIsRefused(_ text: String) throws {
        let json = try JSON.parse(text)
        #expect(throws: APIError.self) { try RoutingRules.check(json) }
    }

    @Test func everyFaultIsNamedWithItsRule() throws {
        #expect(fault { $0["destinationName"] = 7 } == "rule 0: destinationName must be a text")
        #expect(fault { $0["matchers"] = nil } == "rule 0: matchers must be an array")
        #expect(fault { $0["transformers"] = nil } == "rule 0: transformers must be an array")
        #expect(fault { $0["matchers"] = [["type": "all"]] }?.contains("go in pairs") == true)
        #expect(fault { $0["matchers"] = [["type": "all"], ["type": "regex"]] }?.contains("\"fql\"") == true)
        #expect(fault { $0["matchers"] = [["type": "all"], ["type": "fql"]] }?.contains("needs its ir") == true)
        #expect(
            fault { $0["matchers"] = [["type": "all"], ["type": "fql", "ir": "[=]"]] }?.contains("not JSON") == true)
        #expect(fault { $0["transformers"] = [[["type": "encrypt"]], []] }?.contains("map_properties") == true)
        #expect(fault { $0["transformers"] = [[["type": "drop", "config": 1]], []] }?.contains("config") == true)
        #expect(fault { $0["transformers"] = [["type": "drop"], []] }?.contains("must be an array") == true)
    }
}
