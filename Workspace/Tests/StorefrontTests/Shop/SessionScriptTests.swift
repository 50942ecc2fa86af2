import Testing
import Tributary

@testable import Storefront

@Suite struct SessionScriptTests {
    @Test("The amounts of an order follow from the cart, the discount and the shipping")
    func orderAmounts() throws {
        let calls = try Sessions.calls([
            ["do": "add", "product": 0, "quantity": 2], ["do": "add", "product": 1, "quantity": 2],
            ["do": "remove", "product": 1, "quantity": 1],
            ["do": "coupon", "code": "TEN", "discount": Sessions.price("4.00")],
            [
                "do": "order", "order": "o-1", "shipping": Sessions.price("4.90"), "tax": Sessions.price("6.19"),
                "note": "shelf",
            ],
        ])
        #expect(
            calls.compactMap(\.name) == [
                "Product Added", "Product Added", "Product Removed", "Coupon Applied", "Order Completed",
            ])
        let order = try #require(calls[4].properties)
        #expect(order["subtotal"] == 42.75)
        #expect(order["discount"] == 4)
        #expect(order["revenue"] == 38.75)
        #expect(order["total"] == 43.65)
        #expect(order["currency"] == "EUR")
        #expect(order["coupon"] == "TEN")
        #expect(order["internal_note"] == "shelf")
        #expect(order["products"]?.elements?.compactMap { $0["quantity"]?.intValue } == [2, 1])
    }

    @Test("The total of a refund is the price of the refunded products")
    func refundTotal() throws {
        let calls = try Sessions.calls([
            ["do": "add", "product": 0, "quantity": 2], ["do": "add", "product": 1, "quantity": 1],
            ["do": "order", "order": "o-1", "shipping": Sessions.price("0.00"), "tax": Sessions.price("0.00")],
            ["do": "refund", "order": "o-1", "products": [0]],
        ])
        #expect(calls[3].name == "Order Refunded")
        #expect(calls[3].properties?["total"] == 17.8)
    }

    @Test("Only the product screen of some products sends the id under the wrong name")
    func misnamedProperty() throws {
        let calls = try Sessions.calls([
            ["do": "view", "product": 0], ["do": "view", "product": 1], ["do": "add", "product": 0, "quantity": 1],
        ])
        #expect(calls[0].properties?["product_did"] == "tea-1")
        #expect(calls[0].properties?["product_id"] == nil)
        #expect(calls[1].properties?["product_id"] == "pot-2")
        #expect(calls[2].properties?["product_id"] == "tea-1")
    }

    @Test("A session ends with a reset of the visitor")
    func resetAtEnd() throws {
        let calls = try Sessions.calls([["do": "identify"], ["do": "group"], ["do": "alias", "to": "c-2"]])
        #expect(calls.count == 4)
        #expect(calls.map(\.isEvent) == [true, true, true, false])
    }

    @Test("A step that contradicts earlier steps is refused with the reason")
    func impossibleSteps() {
        let order: JSON = [
            "do": "order", "order": "o", "shipping": Sessions.price("0.00"), "tax": Sessions.price("0.00"),
        ]
        let add: JSON = ["do": "add", "product": 0, "quantity": 1]
        #expect(Sessions.problem([order]) == #""steps" element 1: the cart is empty"#)
        #expect(Sessions.problem([add, order, order]) == #""steps" element 3: the cart is empty"#)
        #expect(Sessions.problem([add, order, add, order]) == #""steps" element 4: there is an order o already"#)
        #expect(
            Sessions.problem([["do": "refund", "order": "o", "products": [0]]])
                == #""steps" element 1: there is no order o to refund"#)
        #expect(
            Sessions.problem([add, order, ["do": "refund", "order": "o", "products": [1]]])
                == #""steps" element 3: order o has not all of these products"#)
        #expect(
            Sessions.problem([add, ["do": "remove", "product": 0, "quantity": 2]])
                == #""steps" element 2: there are not 2 of product 0 in the cart"#)
        #expect(
            Sessions.problem([add, ["do": "coupon", "code": "ALL", "discount": Sessions.price("8.91")]])
                == #""steps" element 2: the discount is more than the cart is worth"#)
    }

    @Test("A session that identifies its visitor needs a customer")
    func noCustomer() throws {
        var json = Sessions.json([["do": "identify"]])
        json["customer"] = nil
        let session = try Session(json: json)
        #expect(throws: InputProblem(#""steps" element 1: the session has no "customer" to identify"#)) {
            try SessionScript(session).calls()
        }
    }
}
