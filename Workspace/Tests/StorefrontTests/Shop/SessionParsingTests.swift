import Testing
import TributaryJSON

@testable import Storefront

@Suite struct SessionParsingTests {
    @Test func mistakesInStepsAreNamed() {
        let mistakes: [(JSON, String)] = [
            ([:], #""do" is missing"#),
            (["do": "fly"], #"there is no step "fly""#),
            (["do": "view"], #""product" is missing"#),
            (["do": "view", "product": 2], #""product" is a whole number from 0 to 1"#),
            (["do": "view", "product": -1], #""product" is a whole number from 0 to 1"#),
            (["do": "view", "product": 0.5], #""product" is a whole number from 0 to 1"#),
            (["do": "add", "product": 0, "quantity": 0], #""quantity" is a whole number from 1 to 1000"#),
            (["do": "screen", "title": ""], #""title" is a text that is not empty"#),
            (["do": "search", "query": "x", "products": []], #""products" is an array of 1 to 2 elements"#),
            (
                ["do": "search", "query": "x", "products": [0, 7]],
                #""products" element 2: a product is a number from 0 to 1"#
            ),
            ("view", "a step is a JSON object"),
        ]
        for (step, reason) in mistakes {
            #expect(Sessions.problem([["do": "cart"], step])?.hasSuffix(": " + reason) == true, "\(step)")
        }
    }

    @Test func amountsHaveTheDecimalsOfTheirCurrency() {
        #expect(
            Sessions.problem([["do": "coupon", "code": "X", "discount": 1.5]])
                == #""steps" element 1: "discount" is an amount of EUR, a number with 2 decimals, not 1.5"#)
    }

    @Test func mistakesInSessionsAreNamed() {
        let good = Sessions.json([["do": "heartbeat"]])
        let mistakes: [(String, JSON?, String)] = [
            ("session", nil, #""session" is missing"#),
            ("currency", "euro", #""currency" is no code of ISO 4217: euro"#),
            ("customer", "Käthe", #""customer" is a JSON object"#),
            ("customer", ["id": "c"], #""name" is missing"#),
            ("products", [], #""products" is an array of 1 to 1000 elements"#),
            (
                "products", [["id": "p", "name": "P", "category": "C", "price": "1.00"]],
                #""products" element 1: "price" is an amount of EUR, a number with 2 decimals, not "1.00""#
            ),
            ("steps", [], #""steps" is an array of 1 to 1000 elements"#),
        ]
        for (key, value, reason) in mistakes {
            var json = good
            json[key] = value
            #expect(throws: InputProblem(reason)) { try Session(json: json) }
        }
        #expect(throws: InputProblem("a session is a JSON object")) { try Session(json: []) }
    }
}
