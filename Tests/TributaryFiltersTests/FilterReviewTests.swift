import Testing
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON

/// Rules that are valid and cannot do what they say, each beside one that looks like it and is right.
@Suite struct FilterReviewTests {
    /// A rule that drops what an expression matches.
    private static func rule(_ expression: String) -> JSON {
        [
            "destinationName": "Amplitude", "matchers": [["type": "fql", "ir": .string(expression)]],
            "transformers": [[["type": "drop"]]],
        ]
    }

    /// A rule that transforms every event.
    private static func rule(_ transformers: JSON) -> JSON {
        ["destinationName": "Amplitude", "matchers": [["type": "all"]], "transformers": [transformers]]
    }

    private static func transformer(_ text: String) throws -> JSON { rule(try JSON.parse("[\(text)]")) }

    private func errors(_ rules: JSON) -> [FilterFinding] {
        #expect(FilterRules(routingRules: rules).problems.isEmpty, "a device understands the rule")
        return FilterReview(routingRules: rules).findings.filter { $0.severity == .error }
    }

    @Test(
        "An expression that cannot do what it says is an error, and one that looks like it is none",
        arguments: [
            (#"["=","event","Order Completed"]"#, #"["=","event",{"value":"Order Completed"}]"#),
            (#"["!=","event","Order Completed"]"#, #"["!=","event",{"value":"Order Completed"}]"#),
            (#"["=","event","Signup"]"#, #"["=","event","name"]"#),
            (#"["=","Signup","event"]"#, #"["=",{"value":"Signup"},"event"]"#),
            (#"["=","properties.plan","pro"]"#, #"["=","properties.plan","traits.plan"]"#),
            (#"["contains","event","Test"]"#, #"["contains","event",{"value":"Test"}]"#),
            (#"["contains","event","Test Order"]"#, #"["contains","event","properties.word"]"#),
            (#"["match","event","Order *"]"#, #"["match","event",{"value":"Order *"}]"#),
            (#"["match","event",{"value":"[Ab"}]"#, #"["match","event",{"value":"[Ab]*"}]"#),
            (#"["match","event",{"value":"^Order.*"}]"#, #"["match","event",{"value":"Order*"}]"#),
            (#"["match","event",{"value":"Order$"}]"#, #"["match","event",{"value":"*Order"}]"#),
            (#"["match","properties.n",{"value":5}]"#, #"["match","properties.n",{"value":"5*"}]"#),
            (#"["contains","properties.n",{"value":5}]"#, #"["contains","properties.n",{"value":"5"}]"#),
            (#"["in","event",{"value":["Signup","Login"]}]"#, #"["in","event",{"value":[{"value":"Signup"}]}]"#),
            (#"["in","type",{"value":["track"]}]"#, #"["in","type",{"value":[{"value":"track"}]}]"#),
            (#"["in","type",{"value":[{"value":"purchase"}]}]"#, #"["in","type",{"value":[{"value":"page"}]}]"#),
            (#"["in","event",{"value":[]}]"#, #"["in","userId",{"value":["anonymousId"]}]"#),
            (
                #"["in","properties.a",{"value":[{"value":{"b":1}}]}]"#,
                #"["in","properties.a",{"value":[{"value":1}]}]"#
            ),
            (#"["=","type",{"value":"Track"}]"#, #"["=","type",{"value":"track"}]"#),
            (#"["!=","type",{"value":"trak"}]"#, #"["!=","type",{"value":"track"}]"#),
            (#"[">","properties.total",{"value":"40"}]"#, #"[">","properties.total",{"value":40}]"#),
            (#"["<","timestamp",{"value":"2026-01-01"}]"#, #"["<","properties.age",{"value":18}]"#),
            (#"[">=",["typeof","properties.a"],{"value":1}]"#, #"[">=",["length","properties.a"],{"value":1}]"#),
            (
                #"["=",["typeof","properties.a"],{"value":"array"}]"#,
                #"["=",["typeof","properties.a"],{"value":"object"}]"#
            ),
            (
                #"["=",["typeof","properties.a"],{"value":"null"}]"#,
                #"["=",["typeof","properties.a"],{"value":"string"}]"#
            ),
            (#"["=",["length","properties.a"],{"value":"3"}]"#, #"["=",["length","properties.a"],{"value":3}]"#),
            (#"["=","properties.a.length",{"value":"3"}]"#, #"["=","properties.a.length",{"value":3}]"#),
            (#"["=",["lowercase","event"],{"value":"Order"}]"#, #"["=",["lowercase","event"],{"value":"order"}]"#),
            (
                #"["contains",["lowercase","event"],{"value":"Test"}]"#,
                #"["contains",["lowercase","event"],{"value":"test"}]"#
            ),
            (
                #"["=",["contains","event",{"value":"x"}],{"value":"false"}]"#,
                #"["=",["contains","event",{"value":"x"}],{"value":false}]"#
            ),
            (#"["=","userId",{"value":77}]"#, #"["=","userId",{"value":"77"}]"#),
            (#"["=","event",{"value":true}]"#, #"["=","event",{"value":"true"}]"#),
            (#"["=","event","event"]"#, #"["=","userId","anonymousId"]"#),
            (#"["=","event.name",{"value":"x"}]"#, #"["=","properties.name",{"value":"x"}]"#),
            (#"["=","$.event",{"value":"x"}]"#, #"["=","context.event",{"value":"x"}]"#),
            (#"["=","Event",{"value":"x"}]"#, #"["=","event",{"value":"x"}]"#),
            (#"["=","propertes.plan",{"value":"x"}]"#, #"["=","properties.plan",{"value":"x"}]"#),
            (#"["=","userid",{"value":"x"}]"#, #"["=","userId",{"value":"x"}]"#),
            (#"["=","properties..plan",{"value":"x"}]"#, #"["=","properties.plan.name",{"value":"x"}]"#),
            (#"["length","properties.tags"]"#, #"["and",["length","properties.tags"]]"#),
            (
                #"["and",["=","type",{"value":"track"}],["=","event","Order Completed"]]"#,
                #"["and",["=","type",{"value":"track"}],["=","event",{"value":"Order Completed"}]]"#
            ),
            (#"["!",["contains","event","Test Order"]]"#, #"["!",["contains","event",{"value":"Test Order"}]]"#),
        ])
    func expressions(wrong: String, right: String) throws {
        let found = errors([Self.rule(wrong)])
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.path.hasPrefix("matchers[0].ir") && $0.rule == 0 })
        #expect(errors([Self.rule(right)]) == [])
    }

    @Test(
        "A transformer that cannot do what it says is an error, and one that looks like it is none",
        arguments: [
            (
                #"{"type":"drop_properties","config":{"drop":{"":["properties.card"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"properties":["card"]}}}"#
            ),
            (
                #"{"type":"drop_properties","config":{"drop":{"":["usrId"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"":["userId"]}}}"#
            ),
            (
                #"{"type":"drop_properties","config":{"drop":{"Properties":["card"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"properties.payment":["card"]}}}"#
            ),
            (
                #"{"type":"drop_properties","config":{"drop":{"property":["card"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"traits":["email"]}}}"#
            ),
            (
                #"{"type":"drop_properties","config":{"drop":{"userId":["x"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"context.device":["id"]}}}"#
            ),
            (
                #"{"type":"drop_properties","config":{"drop":{}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"properties":["a","b"]}}}"#
            ),
            (
                #"{"type":"drop_properties","config":{"drop":{"properties":[]}}}"#,
                #"{"type":"allow_properties","config":{"allow":{"properties":[]}}}"#
            ),
            (
                #"{"type":"allow_properties","config":{"allow":{"event.name":["a"]}}}"#,
                #"{"type":"allow_properties","config":{"allow":{"properties.products":["sku"]}}}"#
            ),
            (
                #"{"type":"allow_properties","config":{"allow":{"":["type","propertis"]}}}"#,
                #"{"type":"allow_properties","config":{"allow":{"":["type","event","properties"]}}}"#
            ),
            (
                #"{"type":"map_properties","config":{"map":{"properties.a":{}}}}"#,
                #"{"type":"map_properties","config":{"map":{"properties.a":{"set":null}}}}"#
            ),
            (
                #"{"type":"map_properties","config":{"map":{}}}"#,
                #"{"type":"map_properties","config":{"map":{"properties.a":{"to_string":true}}}}"#
            ),
            (
                #"{"type":"map_properties","config":{"map":{"propertes.a":{"set":1}}}}"#,
                #"{"type":"map_properties","config":{"map":{"properties.a":{"set":1}}}}"#
            ),
            (
                #"{"type":"map_properties","config":{"map":{"properties.a":{"copy":"event.name"}}}}"#,
                #"{"type":"map_properties","config":{"map":{"properties.a":{"copy":"event"}}}}"#
            ),
            (
                #"{"type":"map_properties","config":{"map":{"properties.a":{"move":"properties.a"}}}}"#,
                #"{"type":"map_properties","config":{"map":{"properties.a":{"move":"properties.b"}}}}"#
            ),
            (
                #"{"type":"map_properties","config":{"map":{"properties.a":{"to_string":false}}}}"#,
                #"{"type":"map_properties","config":{"map":{"event":{"set":"Bought"}}}}"#
            ),
            (
                #"{"type":"sample_event","config":{"sample":{"percent":50,"path":"userId"}}}"#,
                #"{"type":"sample_event","config":{"sample":{"percent":0.5,"path":"userId"}}}"#
            ),
            (
                #"{"type":"sample_event","config":{"sample":{"percent":-0.1,"path":"userId"}}}"#,
                #"{"type":"sample_event","config":{"sample":{"percent":0.1,"path":""}}}"#
            ),
            (
                #"{"type":"sample_event","config":{"sample":{"percent":0.5,"path":"user id"}}}"#,
                #"{"type":"sample_event","config":{"sample":{"percent":0.5,"path":"properties.order id"}}}"#
            ),
            (
                #"{"type":"hash_properties","config":{"hash":{"properties":["email"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"properties":["email"]}}}"#
            ),
            (
                #"{"type":"drop"},{"type":"drop_properties","config":{"drop":{"properties":["a"]}}}"#,
                #"{"type":"drop_properties","config":{"drop":{"properties":["a"]}}},{"type":"drop"}"#
            ),
        ])
    func transformers(wrong: String, right: String) throws {
        let found = errors([try Self.transformer(wrong)])
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.path.hasPrefix("transformers[0]") })
        #expect(errors([try Self.transformer(right)]) == [])
    }

    @Test("A rule behind one that drops everything for its destination is an error, and one for another is none")
    func unreachable() throws {
        let everything = try Self.transformer(#"{"type":"drop"}"#)
        let some = Self.rule(#"["=","event",{"value":"x"}]"#)
        var other = some
        other["destinationName"] = "Mixpanel"
        let found = errors([everything, some, other])
        #expect(found.map(\.rule) == [1])
        #expect(found.first?.message == "rule 0 drops every event for Amplitude, so this rule never gets one")
        #expect(errors([some, everything]) == [])
    }

    @Test("A rule without a destination, an expression, a matcher or a transformer is an error")
    func missing() throws {
        var rule = Self.rule(#"["=","event",{"value":"x"}]"#)
        rule["destinationName"] = ""
        #expect(FilterReview(routingRules: [rule]).findings.map(\.path) == ["destinationName"])
        let bare: JSON = [
            ["destinationName": "A", "matchers": [["type": "fql", "ir": ""]], "transformers": [[["type": "drop"]]]],
            ["destinationName": "A", "matchers": [["type": "all"]], "transformers": [[]]],
            ["destinationName": "A", "matchers": [], "transformers": []],
        ]
        #expect(errors(bare).map(\.rule) == [0, 1, 2])
    }

    @Test("A destination that is not known is a warning, which names the one that looks like it")
    func unknownDestination() {
        let rule = Self.rule(#"["=","event",{"value":"x"}]"#)
        let review = FilterReview(routingRules: [rule], destinations: ["Amplitud", "Braze"])
        #expect(review.findings.map(\.severity) == [.warning])
        #expect(review.findings.first?.message.hasSuffix(#"did you mean "Amplitud"?"#) == true)
        #expect(FilterReview(routingRules: [rule], destinations: ["Amplitude"]).findings == [])
    }

    @Test("What is only probably wrong is a warning, with the right form")
    func warnings() throws {
        let rules: JSON = [
            Self.rule(#"["=","total",{"value":5}]"#),
            Self.rule(#"["match","event",{"value":"Order"}]"#),
            Self.rule(#"["contains","event",{"value":""}]"#),
            try Self.transformer(#"{"type":"drop_properties","config":{"drop":{"properties":["address.city"]}}}"#),
            try Self.transformer(#"{"type":"allow_properties","config":{"allow":{"":["event"]}}}"#),
        ]
        let findings = FilterReview(routingRules: rules).findings
        #expect(findings.map(\.rule) == [0, 1, 2, 3, 4])
        #expect(findings.allSatisfy { $0.severity == .warning })
        #expect(findings[0].message.contains(#""properties.total""#))
        #expect(findings[3].message.contains(#"{"properties.address":["city"]}"#))
    }

    @Test("The wrong form of a comparison is answered with the place and the right form")
    func answer() {
        let found = errors([Self.rule(#"["=","event","Order Completed"]"#)])
        #expect(
            found.map(\.description) == [
                #"rule 0, matchers[0].ir[2]: a text is a path, and no event has a member "Order Completed"; the value is {"value":"Order Completed"}"#
            ])
    }
}
