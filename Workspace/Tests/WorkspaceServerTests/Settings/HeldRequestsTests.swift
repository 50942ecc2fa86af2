import Testing

@testable import WorkspaceServer

@Suite("Held requests for settings") struct HeldRequestsTests {
    @Test("A change takes out the requests of its source, and the time those that are due") func taking() {
        var held = HeldRequests<String>(limit: 10)
        for (name, source, deadline) in [("a", 1, 10), ("b", 1, 20), ("c", 2, 10), ("d", 2, 30)]
            as [(String, Int64, Int64)]
        {
            #expect(held.add(name, source: source, until: deadline) != nil)
        }
        #expect(held.take(ofSource: 3) == [])
        #expect(held.take(overdueAt: 9) == [])
        #expect(Set(held.take(overdueAt: 10)) == ["a", "c"])
        #expect(held.take(ofSource: 1) == ["b"])
        #expect(held.count == 1)
        #expect(held.takeAll() == ["d"])
        #expect(held.count == 0)
    }

    @Test("Beyond the limit no request is held, and each that ends makes room for one") func limit() {
        var held = HeldRequests<Int>(limit: 2)
        let first = held.add(1, source: 1, until: 10)
        #expect(held.add(2, source: 2, until: 10) != nil)
        #expect(held.add(3, source: 1, until: 10) == nil)
        #expect(first.flatMap { held.remove($0, source: 1) } == 1)
        #expect(first.flatMap { held.remove($0, source: 1) } == nil)
        #expect(held.add(3, source: 1, until: 10) != nil)
        #expect(HeldRequests<Int>(limit: 0).count == 0)
    }

    @Test("In any order, each request ends once and the count is right") func randomly() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var held = HeldRequests<Int>(limit: 8)
            var inside: Set<Int> = []
            var ids: [(Int, Int64, Int)] = []
            for number in 0..<100 {
                let source = Int64.random(in: 1...3, using: &generator)
                var out: [Int] = []
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: out = held.take(ofSource: source)
                case 1: out = held.take(overdueAt: Int64.random(in: 0...100, using: &generator))
                case 2:
                    guard let (id, source, waiter) = ids.randomElement(using: &generator) else { break }
                    out = held.remove(id, source: source).map { [$0] } ?? []
                    #expect(out.isEmpty != inside.contains(waiter))
                case 3 where number % 10 == 0: out = held.takeAll()
                default:
                    let deadline = Int64.random(in: 0...100, using: &generator)
                    let id = held.add(number, source: source, until: deadline)
                    #expect((id == nil) == (inside.count == 8))
                    guard let id else { break }
                    inside.insert(number)
                    ids.append((id, source, number))
                }
                for waiter in out { #expect(inside.remove(waiter) != nil) }
                #expect(held.count == inside.count)
            }
        }
    }
}
