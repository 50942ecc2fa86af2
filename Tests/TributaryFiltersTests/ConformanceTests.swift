import Testing
import TributaryFilters
import TributaryJSON

@Suite(.enabled(if: ConformanceVector.file != nil, "shared/conformance/destination-filters.json is not here"))
struct ConformanceTests {
    @Test func theFileIsComplete() throws {
        let kinds = try ConformanceVector.all().map { $0.json["kind"]?.stringValue ?? "" }
        #expect(kinds.count >= 742)
        #expect(Set(kinds) == ["matcher", "transform", "rule"])
    }

    @Test(arguments: try ConformanceVector.all())
    func vector(_ vector: ConformanceVector) throws {
        let answer = Result { try Self.answer(to: vector.json) }
        if vector.json["throws"]?.boolValue == true {
            #expect(throws: FilterError.self) { try answer.get() }
        } else {
            let expected = try #require(vector.json["expected"])
            let actual = try answer.get()
            #expect(actual == expected)
        }
    }

    private static func answer(to vector: JSON) throws -> JSON {
        var event = try #require(vector["event"])
        switch vector["kind"]?.stringValue {
        case "matcher":
            return .bool(try FilterMatcher(try #require(vector["matcher"])).matches(event))
        case "transform":
            for json in try #require(vector["transformers"]?.elements) {
                if try FilterTransformer(json).apply(to: &event) == .dropped { return .null }
            }
            return event
        default:
            var rule = try #require(vector["rule"])
            rule["destinationName"] = "Here"
            let rules = FilterRules(routingRules: [rule])
            #expect(rules.problems.isEmpty)
            return rules.apply(to: &event, destination: "Here").result == .dropped ? .null : event
        }
    }
}
