import Testing
import TributaryJSON

@testable import TributaryFilters

/// The members of an event decide which conditions are evaluated. All other conditions must cost nothing.
@Suite struct TriggerIndexTests {
    /// The positions of the expressions that are looked at for the sample event.
    private func candidates(_ expressions: String..., event: JSON = sampleEvent) throws -> [Int] {
        var compiler = FilterCompiler(limits: FilterLimits())
        let conditions = try expressions.map { try compiler.matcher(fql($0)) }
        let program = compiler.finished()
        let index = TriggerIndex(conditions, of: program)
        return FilterEvaluator.with(program) { evaluator in
            evaluator.look(at: event)
            return index.withCandidates { candidates in
                index.find(candidates, evaluator)
                var found: [Int] = []
                while let next = candidates.first(from: (found.last ?? -1) + 1) { found.append(next) }
                return found
            }
        }
    }

    @Test("Equality conditions are candidates only when the event has the value")
    func equality() throws {
        let found = try candidates(
            #"["=","event",{"value":"Ticket Sold"}]"#, #"["=","event",{"value":"Ticket Bought"}]"#,
            #"["=","properties.seats",{"value":5}]"#, #"["=",{"value":4.0},"properties.seats"]"#,
            #"["=","properties.none",{"value":-0.0}]"#, #"["=","properties.gift",{"value":null}]"#,
            #"["=","properties.city",{"value":null}]"#, #"["=","properties.absent",{}]"#,
            #"["=","properties.city",{}]"#, #"["=","properties.long",{"value":"a text of more than 16 bytes"}]"#)
        #expect(found == [1, 3, 4, 5, 7])
    }

    @Test("List conditions are candidates only when the event has an item of the list")
    func lists() throws {
        let found = try candidates(
            #"["in","event",{"value":[{"value":"A"},{"value":"B"}]}]"#,
            #"["in","event",{"value":[{"value":"A"},{"value":"Ticket Bought"}]}]"#,
            #"["in",{"value":"Ticket Bought"},{"value":["type","event"]}]"#,
            #"["in",{"value":"other"},{"value":["type","event"]}]"#, #"["in","event",{"value":[]}]"#)
        #expect(found == [1, 2])
    }

    @Test("Number conditions are candidates only when the event's number is beyond the bound")
    func numbers() throws {
        let found = try candidates(
            #"[">","properties.amount",{"value":13}]"#, #"[">","properties.amount",{"value":12}]"#,
            #"["<=","properties.amount",{"value":12}]"#, #"["<=","properties.amount",{"value":12.5}]"#,
            #"["<",{"value":13},"properties.amount"]"#, #"[">=",{"value":13},"properties.amount"]"#,
            #"[">","properties.city",{"value":0}]"#, #"[">","properties.amount",{"value":"1"}]"#)
        #expect(found == [1, 3, 5])
    }

    @Test("Text conditions are candidates only when the event's text has their rarest piece")
    func textPieces() throws {
        let found = try candidates(
            #"["contains","event",{"value":"Ticket Sold"}]"#, #"["contains","event",{"value":"Ticket B"}]"#,
            #"["contains","event",{"value":"ck"}]"#, #"["contains","event",{"value":"kc"}]"#,
            #"["contains","event",{"value":"x"}]"#, #"["contains","event",{"value":"T"}]"#,
            #"["contains","event",{"value":""}]"#, #"["contains","properties.seats",{"value":""}]"#,
            #"["match","event",{"value":"*Bought"}]"#, #"["match","event",{"value":"*Sold?"}]"#,
            #"["match","event",{"value":"[unfinished"}]"#, #"["contains","event",{"value":7}]"#)
        #expect(found == [1, 2, 5, 6, 8])
    }

    @Test("Lowercase conditions are candidates when the lowercased text is equal, or is not ASCII")
    func lowercase() throws {
        let found = try candidates(
            #"["=",["lowercase","event"],{"value":"ticket bought"}]"#,
            #"["=",["lowercase","event"],{"value":"ticket sold"}]"#,
            #"["=",["lowercase","event"],{"value":"Ticket Bought"}]"#,
            #"["=",["lowercase","properties.city"],{"value":"wien"}]"#)
        #expect(found == [0, 3])
    }

    /// A conjunction is indexed by the part that it shares with the fewest other conditions.
    @Test("A conjunction is a candidate only when its rarest part holds")
    func conjunctions() throws {
        let found = try candidates(
            #"["and",["=","type",{"value":"track"}],["=","event",{"value":"A"}]]"#,
            #"["and",["=","event",{"value":"B"}],["=","type",{"value":"track"}]]"#,
            #"["!",["or",["!=","type",{"value":"track"}],["!=","event",{"value":"C"}]]]"#,
            #"["and",["!=","event",{"value":"D"}],["=","event",{"value":"Ticket Bought"}]]"#,
            #"["and",["or",["=","event",{"value":"E"}],["=","event",{"value":"F"}]],"properties.paid"]"#)
        #expect(found == [3])
    }

    @Test("Conditions without an index entry are always candidates")
    func uncovered() throws {
        let found = try candidates(
            #"["!",["=","event",{"value":"A"}]]"#, #"["=","type","event"]"#, #"[">",["length","event"],{"value":99}]"#,
            #"["or",["=","event",{"value":"A"}],["<","type","event"]]"#, #"["and"]"#, #"["or"]"#)
        #expect(found == [0, 1, 2, 3, 4])
    }

    /// An unknown part is reached when the parts before it hold, whatever the parts behind it are.
    @Test("A condition is a candidate when the parts before its unknown part hold")
    func unknownParts() throws {
        let found = try candidates(
            #"["and",["like"],["=","event",{"value":"A"}]]"#, #"["and",["=","event",{"value":"A"}],["like"]]"#,
            #"["and",["=","type",{"value":"track"}],["like"],["=","event",{"value":"A"}]]"#,
            #"["in","event",{"value":[{"value":"A"},null]}]"#, #"["in","event","properties.absent"]"#,
            #"["and",["=","event",{"value":"A"}],["in","event","properties.absent"]]"#)
        #expect(found == [0, 2, 3, 4])
    }

    /// More conditions than one word of the set has bits.
    @Test("Candidates of two hundred conditions come in their order")
    func manyConditions() throws {
        var compiler = FilterCompiler(limits: FilterLimits())
        let names = (0..<200).map { $0 % 50 == 3 ? "Ticket Bought" : "Event \($0)" }
        let conditions = try names.map { try compiler.matcher(fql(#"["=","event",{"value":"\#($0)"}]"#)) }
        let program = compiler.finished()
        let index = TriggerIndex(conditions, of: program)
        let found = FilterEvaluator.with(program) { evaluator in
            evaluator.look(at: sampleEvent)
            return index.withCandidates { candidates in
                index.find(candidates, evaluator)
                return (0..<200).filter { candidates.first(from: $0) == $0 }
            }
        }
        #expect(found == [3, 53, 103, 153])
    }
}
