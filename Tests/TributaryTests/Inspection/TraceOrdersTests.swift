import Testing
import TributaryJSON

@testable import Tributary

@Suite("Trace orders in an answer") struct TraceOrdersTests {
    private func orders(_ text: String) -> TraceOrders { TraceOrders(answer: [UInt8](text.utf8), at: 1000) }

    @Test("An order holds for the user or the device that it names, until its time is over")
    func subjects() {
        let orders = orders(#"{"trace":[{"userId":"u","seconds":10},{"anonymousId":"a","seconds":20}]}"#)
        #expect(orders.name(["userId": "u"], at: 1009))
        #expect(!orders.name(["userId": "u"], at: 1010))
        #expect(orders.name(["userId": "u", "anonymousId": "a"], at: 1019))
        #expect(!orders.name(["userId": "a", "anonymousId": "u"], at: 1001))
        #expect(!orders.name(["userId": .null], at: 1001))
    }

    @Test("An order lasts an hour at most")
    func longest() {
        let orders = orders(#"{"trace":[{"userId":"u","seconds":1e300}]}"#)
        #expect(orders.name(["userId": "u"], at: 1000 + 3599))
        #expect(!orders.name(["userId": "u"], at: 1000 + 3600))
    }

    @Test(
        "An answer without a valid order orders no trace",
        arguments: [
            "", "ok", "<html>", #"{"success":true}"#, #"{"trace":1}"#, #"{"trace":[1,null,{}]}"#,
            #"{"trace":[{"userId":"u"}]}"#, #"{"trace":[{"userId":"u","seconds":0}]}"#,
            #"{"trace":[{"userId":"u","seconds":-5}]}"#, #"{"trace":[{"userId":5,"seconds":5}]}"#,
            #"{"trace":[{"userId":"u","seconds":"900"}]}"#,
        ])
    func nothing(text: String) { #expect(orders(text).isEmpty) }

    @Test("Only the first orders of a long answer count, and a very long answer is not read")
    func bounded() {
        let order = #"{"userId":"u","seconds":5}"#
        let others = (0..<4).map { #"{"userId":"other-\#($0)","seconds":5}"# }.joined(separator: ",")
        #expect(!orders("{\"trace\":[\(others),\(order)]}").name(["userId": "u"], at: 1001))
        let filling = String(repeating: " ", count: 9000)
        #expect(orders("{\"trace\":[\(order)]\(filling)}").isEmpty)
    }
}
