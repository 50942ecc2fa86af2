import Testing

@testable import Tributary

@Suite("Turns of several queues")
struct TurnOrderTests {
    private func turns(_ order: inout TurnOrder<String>, _ count: Int) -> String {
        var seen = ""
        for _ in 0..<count {
            seen += order.current
            order.pass()
        }
        return seen
    }

    @Test("Queues take turns in the order in which they came, again and again")
    func round() {
        var order = TurnOrder("a")
        let alone = turns(&order, 2)
        #expect(alone == "aa")
        order.append("b")
        order.append("c")
        let three = turns(&order, 7)
        #expect(three == "abcabca")
        #expect(order.all == ["a", "b", "c"])
    }

    @Test("A queue that leaves gives its turn to the next queue")
    func leaving() {
        var order = TurnOrder("a")
        for member in ["b", "c", "d"] { order.append(member) }
        order.pass()
        #expect(order.leave() == "b")
        #expect(order.current == "c")
        order.pass()
        #expect(order.leave() == "d")
        #expect(order.current == "a")
        #expect(order.all == ["a", "c"])
    }

    @Test("The first queue does not leave, and gives its turn to the next queue")
    func first() {
        var order = TurnOrder("a")
        #expect(order.leave() == nil)
        #expect(order.current == "a")
        order.append("b")
        #expect(order.leave() == nil)
        #expect(order.current == "b")
    }
}
