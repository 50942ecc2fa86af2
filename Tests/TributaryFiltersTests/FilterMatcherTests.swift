import Testing
import TributaryFilters
import TributaryJSON

@Suite struct FilterMatcherTests {
    @Test(
        "Each expression matches the sample event or not, as documented",
        arguments: [
            // `=` and `!=` are strict
            (#"["=","event",{"value":"Ticket Bought"}]"#, true),
            (#"["=","event",{"value":"ticket bought"}]"#, false),
            (#"["=","event",{"value":"Ticket Bough"}]"#, false),
            (#"["!=","event",{"value":"Ticket Sold!!"}]"#, true),
            (#"["=","properties.seats",{"value":4}]"#, true),
            (#"["=","properties.seats",{"value":4.0}]"#, true),
            (#"["=","properties.seats",{"value":"4"}]"#, false),
            (#"["=","properties.none",{"value":false}]"#, false),
            (#"["=","properties.none",{"value":-0}]"#, true),
            (#"["=","properties.note",{"value":""}]"#, true),
            (#"["=","properties.code","properties.copyOfCode"]"#, true),
            (#"["=","properties.code","properties.city"]"#, false),
            (#"["=","properties.long",{"value":"a text of more than sixteen bytes"}]"#, true),
            (#"["=","properties.long",{"value":"a text of MORE THAN sixteen bytes"}]"#, false),
            (#"["!=","properties.long",{"value":"a text of MORE THAN sixteen bytes"}]"#, true),
            (#"["=",{"value":9007199254740993},{"value":9007199254740992}]"#, true),
            (#"["=",{"value":1e400},{"value":2e400}]"#, true),
            // texts are compared unit by unit: the second is decomposed
            ("[\"=\",\"properties.city\",{\"value\":\"Krak\u{F3}w\"}]", true),
            ("[\"=\",\"properties.city\",{\"value\":\"Krako\u{301}w\"}]", false),
            // undefined and null
            (#"["=","properties.gift",{"value":null}]"#, true),
            (#"["=","properties.absent",{"value":null}]"#, false),
            (#"["=","properties.absent",{}]"#, true),
            (#"["=","properties.gift",{}]"#, false),
            (#"["=","properties.absent","other.absent"]"#, true),
            (#"["=","properties.gift.below",{}]"#, true),
            // objects and arrays by their texts
            (#"["=","properties.place",{"value":{"lat":50.06,"lon":19.94}}]"#, true),
            (#"["=","properties.place",{"value":{"lat":50.060,"lon":1994e-2}}]"#, true),
            (#"["=","properties.place",{"value":{"lon":19.94,"lat":50.06}}]"#, false),
            (#"["=","properties.place","properties.copyOfPlace"]"#, true),
            (#"["=","properties.place","properties.turnedPlace"]"#, false),
            (#"["=","properties.tags",{"value":["red","blue","red"]}]"#, true),
            (#"["=","properties.tags",{"value":["red","blue"]}]"#, false),
            (#"["=","properties.tags",["red","blue","red"]]"#, true),
            (#"["=","properties.nothing",{"value":{}}]"#, false),
            (#"["=",{"value":{"b":1,"2":2,"1":3}},{"value":{"1":3,"2":2,"b":1}}]"#, true),
            (#"["=",{"value":[1e400]},{"value":[null]}]"#, true),
            (#"["=","properties.gift","properties.nothing"]"#, false),
            // orders want numbers on both sides
            (#"["<","properties.seats",{"value":5}]"#, true),
            (#"["<","properties.seats",{"value":4}]"#, false),
            (#"["<=","properties.seats",{"value":4}]"#, true),
            (#"[">","properties.amount","properties.seats"]"#, true),
            (#"[">=","properties.loss",{"value":-3.0}]"#, true),
            (#"["<","properties.gift",{"value":1}]"#, false),
            (#"[">","properties.paid",{"value":0}]"#, false),
            (#"["<","properties.code",{"value":"Z"}]"#, false),
            (#"["!",["<","properties.absent",{"value":1}]]"#, true),
            // logic
            (#"["and"]"#, true),
            (#"["or"]"#, false),
            (#"["and","properties.paid",["!","properties.refunded"]]"#, true),
            (#"["and","properties.paid","properties.seats"]"#, false),
            (#"["or","properties.seats","properties.code"]"#, false),
            (#"["or","properties.refunded",["=","type",{"value":"track"}]]"#, true),
            (#"["!","properties.seats"]"#, true),
            (#"["!",["!",["and"]]]"#, true),
            (#"["and",["length","properties.code"]]"#, true),
            (#"["and",["length","properties.note"]]"#, false),
            (#"["or",["length","properties.seats"]]"#, false),
            (#"["and",["lowercase","properties.code"]]"#, true),
            (#"["and",["lowercase","properties.note"]]"#, false),
            (#"["!",["lowercase","properties.seats"]]"#, true),
            (#"["and",["typeof","properties.absent"]]"#, true),
            // only `true` itself matches
            (#""properties.paid""#, true),
            (#""properties.seats""#, false),
            (#"{"value":true}"#, true),
            (#"{"value":"true"}"#, false),
            (#"["length","properties.code"]"#, false),
            (#"["typeof","properties.code"]"#, false),
            ("5", false),
            // in
            (#"["in","type",{"value":[{"value":"page"},{"value":"track"}]}]"#, true),
            (#"["in","type",{"value":[{"value":"page"}]}]"#, false),
            (#"["in","properties.code",{"value":["userId","properties.copyOfCode"]}]"#, true),
            (#"["in",{"value":4},{"value":["properties.seats"]}]"#, true),
            (#"["in",{"value":"4"},{"value":["properties.seats"]}]"#, false),
            (#"["in","properties.absent",{"value":[{"value":null}]}]"#, false),
            (#"["in","properties.absent",{"value":["other.absent"]}]"#, true),
            (#"["in","properties.absent",{"value":[{}]}]"#, true),
            (#"["in","properties.absent",{"value":[]}]"#, false),
            // a list in the event: its items are operands too
            (#"["in",{"value":"red"},"properties.tags"]"#, false),
            (#"["in","type","properties.operands"]"#, true),
            (#"["in",{"value":5},"properties.operands"]"#, true),
            (#"["in",{"value":7},"properties.operands"]"#, false),
            (#"["in",1,"properties.operands"]"#, true),
            (#"["in","properties.tags","properties.operands"]"#, false),
            (#"["in","properties.absent","properties.nothing"]"#, false),
            (#"["in","properties.gift",{"value":[{"value":0},{"value":null}]}]"#, true),
            (#"["in","type",[{"value":"track"}]]"#, true),
            (#"["in","properties.place",{"value":["properties.copyOfPlace"]}]"#, false),
            (#"["in","properties.place",{"value":["properties.place"]}]"#, true),
            (#"["in",{"value":[]},{"value":[{"value":[]}]}]"#, false),
            // contains
            (#"["contains","properties.code",{"value":"bC-"}]"#, true),
            (#"["contains","properties.code",{"value":"bc-"}]"#, false),
            (#"["contains","properties.code",{"value":""}]"#, true),
            (#"["contains","properties.note",{"value":""}]"#, true),
            (#"["contains","properties.tags",{"value":"red"}]"#, false),
            (#"["contains",{"value":"track record"},"type"]"#, true),
            (#"["contains","properties.absent",{"value":""}]"#, false),
            (#"["=",["contains","properties.code",{"value":"b"}],{"value":true}]"#, true),
            // functions
            (#"["=",["lowercase","properties.code"],{"value":"abc-9"}]"#, true),
            (#"["=",{"value":"abc-9"},["lowercase","properties.code"]]"#, true),
            (#"["=",["lowercase","properties.code"],["lowercase",{"value":"ABC-9"}]]"#, true),
            (#"["=",["lowercase",{"value":"ÓŻ"}],{"value":"óż"}]"#, true),
            (#"["=",["lowercase",{"value":"ΟΔΟΣ ΣΑΣ"}],{"value":"οδος σας"}]"#, true),
            (#"["=",["lowercase","properties.seats"],{"value":null}]"#, true),
            (#"["=",["lowercase","properties.absent"],{"value":null}]"#, true),
            (#"["=",["length","properties.city"],{"value":6}]"#, true),
            (#"["=",["length","properties.face"],{"value":2}]"#, true),
            (#"["=",["length","properties.tags"],{"value":3}]"#, true),
            (#"["=",["length","properties.gift"],{"value":0}]"#, true),
            (#"["=",["length","properties.absent"],["length","properties.absent"]]"#, false),
            (#"["!=",["length","properties.place"],{"value":0}]"#, true),
            (#"["=",["length",["lowercase","type"]],{"value":2}]"#, true),
            (#"["=",["typeof","properties.absent"],{"value":"undefined"}]"#, true),
            (#"["=",["typeof","properties.gift"],{"value":"object"}]"#, true),
            (#"["=",["typeof","properties.tags"],{"value":"object"}]"#, true),
            (#"["=",["typeof","properties.seats"],{"value":"number"}]"#, true),
            (#"["=",["typeof","properties.paid"],{"value":"boolean"}]"#, true),
            (#"["=",["typeof","properties.code"],["typeof","type"]]"#, true),
            (#"["=",["typeof",5],{"value":"object"}]"#, true),
            // a call in the wrong place counts as an array
            (#"["contains",["lowercase","type"],{"value":"track"}]"#, false),
            (#"["=",["lowercase","type","extra"],{"value":"track"}]"#, false),
            (#"["=",["and","properties.paid"],{"value":true}]"#, false),
            // a literal in a comparison may be a call, and a value of the event never is
            (#"["=",{"value":["length","type"]},{"value":5}]"#, true),
            (#"["=",{"value":["contains","type",{"value":"rac"}]},{"value":true}]"#, true),
            (#"["=",["length",{"value":["length","type"]}],{"value":2}]"#, true),
            (#"["=","properties.call",{"value":"u-77"}]"#, false),
            (#"["=",["length","properties.call"],{"value":2}]"#, true),
            // paths
            (#"["=","properties.tags.1",{"value":"blue"}]"#, true),
            (#"["=","properties.tags.01",{}]"#, true),
            (#"["=","properties.tags.-1",{}]"#, true),
            (#"["=","properties.tags.9",{}]"#, true),
            (#"["=","properties.tags.length",{"value":3}]"#, true),
            (#"["=","properties.lines.1.sku",{"value":"b"}]"#, true),
            (#"["=","properties.code.length",{"value":5}]"#, true),
            (#"["=","properties.code.0",{"value":"A"}]"#, true),
            (#"["=","properties.code.5",{}]"#, true),
            (#"["=","properties.note.length",{}]"#, true),
            (#"["=","properties.face.length",{"value":2}]"#, true),
            (#"["=","properties.seats.length",{}]"#, true),
            (#"["=","properties.dotted.key",{}]"#, true),
            (#"["=","properties.dotted\\.key",{}]"#, true),
            (#"["=","properties.",{"value":"blank"}]"#, true),
            (#"["=","",{}]"#, true),
            (#"["=","properties..x",{}]"#, true),
            // extra operands are not looked at
            (#"["=","type",{"value":"track"},null]"#, true),
            (#"["!",{"value":false},["unknown"]]"#, true),
            // parts that decide nothing are not looked at
            (#"["or",["and"],["unknown"]]"#, true),
            (#"["and",["or"],["unknown"]]"#, false),
            (#"["and",["=","type",{"value":"screen"}],["=","a"]]"#, false),
            (#"["or",["!",["and",{"value":false},[]]],null]"#, true),
            (#"["in","type",{"value":["type",null]}]"#, true),
        ])
    func expressions(ir: String, expected: Bool) throws {
        #expect(try FilterMatcher(fql(ir)).matches(sampleEvent) == expected)
    }

    @Test(
        "An operand without the list that it needs is an error for that event only",
        arguments: [
            (#"["in",{"value":"red"},"properties.absent"]"#, "ir[2]"),
            (#"["in",{"value":"red"},"properties.city"]"#, "ir[2]"),
            (#"["!",["in",{"value":"red"},"properties.place"]]"#, "ir[1][2]"),
            (#"["in",{"value":"red"},"properties.holes"]"#, "ir[2]"),
        ])
    func missingList(ir: String, path: String) throws {
        let matcher = try FilterMatcher(fql(ir))
        #expect(matcher.problems.isEmpty)
        let error = #expect(throws: FilterError.self) { try matcher.matches(sampleEvent) }
        #expect(error?.reason == .badOperand)
        #expect(error?.path == path)
        let fitting: JSON = ["properties": ["absent": [], "city": [], "place": [], "holes": []]]
        #expect(throws: Never.self) { try matcher.matches(fitting) }
    }

    @Test("A matcher without a readable expression matches no event")
    func withoutIR() throws {
        #expect(try !FilterMatcher(["type": "fql"]).matches(sampleEvent))
        #expect(try !FilterMatcher(["type": "fql", "ir": .null]).matches(sampleEvent))
        #expect(try !FilterMatcher(fql("")).matches(sampleEvent))
        #expect(try !FilterMatcher(["type": "fql", "ir": true]).matches(sampleEvent))
        #expect(try !FilterMatcher(["type": "fql", "ir": 5]).matches(sampleEvent))
    }

    @Test("A matcher of type all matches every event, whatever its expression")
    func allType() throws {
        #expect(try FilterMatcher(["type": "all"]).matches(sampleEvent))
        #expect(try FilterMatcher(["type": "all", "ir": "["]).matches(.null))
    }

    @Test("A matcher also takes events that are not objects")
    func otherEvents() throws {
        for event: JSON in [.null, true, 5, "text", ["a"]] {
            #expect(try !FilterMatcher(fql(#"["=","type",{"value":"track"}]"#)).matches(event))
        }
        #expect(try FilterMatcher(fql(#"["=","0",{"value":"a"}]"#)).matches(["a"]))
    }

    @Test(
        "A bad expression is an error with its reason and its place",
        arguments: [
            (#"["equals","a",{"value":1}]"#, FilterError.Reason.unknownOperator, "ir"),
            (#"["and",["=","a",{"value":1}],["nand"]]"#, .unknownOperator, "ir[2]"),
            (#"["or",["!",["nand"]],["=","a",{"value":1}]]"#, .unknownOperator, "ir[1][1]"),
            (#"[]"#, .unknownOperator, "ir"),
            (#"[7]"#, .unknownOperator, "ir"),
            (#"["and",[["="]]]"#, .unknownOperator, "ir[1]"),
            (#"["!"]"#, .badOperand, "ir"),
            (#"["=","a"]"#, .badOperand, "ir"),
            (#"["=",null,"a"]"#, .badOperand, "ir[1]"),
            (#"["contains","a"]"#, .badOperand, "ir"),
            (#"["length"]"#, .badOperand, "ir"),
            (#"["or",["in","a"]]"#, .badOperand, "ir[1]"),
            (#"["in","a",{"value":"b"}]"#, .badOperand, "ir[2]"),
            (#"["in","a",{"value":["b",null]}]"#, .badOperand, "ir[2].value[1]"),
            (#"["=",["length",null],{"value":1}]"#, .badOperand, "ir[1][1]"),
            (#"null"#, .badOperand, "ir"),
            (#"["=""#, .malformedIR, "ir"),
            (#"['=']"#, .malformedIR, "ir"),
            (#" "#, .malformedIR, "ir"),
        ])
    func badExpressions(ir: String, reason: FilterError.Reason, path: String) {
        let error = #expect(throws: FilterError.self) {
            let matcher = try FilterMatcher(fql(ir))
            #expect(matcher.problems.map(\.path) == [path])
            _ = try matcher.matches(["a": 1])
        }
        #expect(error?.reason == reason)
        #expect(error?.path == path)
        #expect(error?.detail.isEmpty == false)
    }

    @Test("All bad parts of an expression are listed as problems")
    func badParts() throws {
        let matcher = try FilterMatcher(
            fql(#"["or",["=","a",{"value":1}],["nand"],["!",["in","a",{"value":[null]}]]]"#))
        #expect(matcher.problems.map(\.path) == ["ir[2]", "ir[3][1][2].value[0]"])
        #expect(try matcher.matches(["a": 1]))
        #expect(throws: FilterError.self) { try matcher.matches(["a": 2]) }
    }

    @Test("A malformed matcher is refused with a reason")
    func badMatchers() {
        let cases: [(JSON, FilterError.Reason)] = [
            (.null, .unknownMatcher), ("all", .unknownMatcher), ([:], .unknownMatcher),
            (["type": 1], .unknownMatcher), (["type": "ALL"], .unknownMatcher),
            (["type": "fql", "ir": ["and"]], .malformedIR), (["type": "fql", "ir": ["a": 5]], .malformedIR),
        ]
        for (matcher, reason) in cases {
            let error = #expect(throws: FilterError.self) { try FilterMatcher(matcher) }
            #expect(error?.reason == reason, "\(matcher)")
        }
    }

    @Test("An expression that reads many members finds each value, or none")
    func manyMembers() throws {
        let keys =
            (0..<40).map { "key\($0)" } + ["a key of more than sixteen bytes 1", "a key of more than sixteen bytes 2"]
        var properties = JSONObject()
        for key in keys.enumerated() where key.offset % 2 == 0 { properties[key.element] = .string(key.element) }
        properties["żółw"] = "żółw"
        let event: JSON = ["properties": .object(properties)]
        for (position, key) in (keys + ["żółw"]).enumerated() {
            let others = keys.map { #"["!",["=","properties.\#($0)",{"value":"?"}]]"# }.joined(separator: ",")
            let matcher = try FilterMatcher(fql(#"["and",\#(others),["=","properties.\#(key)",{"value":"\#(key)"}]]"#))
            #expect(try matcher.matches(event) == (position % 2 == 0), "\(key)")
        }
    }
}
