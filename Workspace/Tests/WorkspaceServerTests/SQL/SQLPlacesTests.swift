import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Places for queries in SQL") struct SQLPlacesTests {
    private let ana = SharedSlots.Holder(token: "Ana", role: .look)
    private let ben = SharedSlots.Holder(token: "Ben", role: .deploy)
    private let admin = SharedSlots.Holder(token: nil, role: .administer)

    @Test("A person has one query, and two run at most")
    func places() throws {
        var places = SQLPlaces()
        try places.take(ana)
        var refusal = #expect(throws: Refusal.self) { try places.take(ana) }
        #expect(refusal?.reason == .tooMany && refusal?.message.contains("a query of yours") == true)
        try places.take(admin)
        refusal = #expect(throws: Refusal.self) { try places.take(ben) }
        #expect(refusal?.reason == .tooMany && refusal?.message.contains("2 queries run now") == true)
        places.leave(ana)
        try places.take(ben)
        places.leave(ben)
        places.leave(admin)
        #expect(places == SQLPlaces())
    }

    @Test("A place is given back once, at the latest with its object")
    func loans() throws {
        let list = SQLPlaceList()
        let first = try list.lend(to: ana)
        first.giveBack()
        let second = try list.lend(to: ana)
        first.giveBack()
        #expect(throws: Refusal.self) { try list.lend(to: ana) }
        second.giveBack()
        do { _ = try list.lend(to: ana) }
        _ = try list.lend(to: ana)
    }
}
