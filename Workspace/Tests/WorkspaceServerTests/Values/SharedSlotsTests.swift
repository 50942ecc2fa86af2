import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct SharedSlotsTests {
    private let administrator = SharedSlots.Holder(token: nil, role: .administer)

    private func looking(_ token: String) -> SharedSlots.Holder { SharedSlots.Holder(token: token, role: .look) }

    @Test("One token takes a quarter, tokens that may only look half, those that may not administer three quarters")
    func shares() throws {
        var places = SharedSlots(40)
        for _ in 0..<10 { try places.take(looking("a")) }
        #expect(places.refusal(of: looking("a")) == .shareOfToken("a", 10))
        for _ in 0..<10 { try places.take(looking("b")) }
        #expect(places.refusal(of: looking("c")) == .shareOfRole(.look, 20))
        let deploy = SharedSlots.Holder(token: "d", role: .deploy)
        for _ in 0..<10 { try places.take(deploy) }
        #expect(places.refusal(of: SharedSlots.Holder(token: "e", role: .deploy)) == .shareOfRole(.deploy, 30))
        for _ in 0..<10 { try places.take(administrator) }
        #expect(places.refusal(of: administrator) == .allTaken(40))
        places.leave(looking("a"))
        #expect(places.refusal(of: looking("c")) == nil)
        #expect(places.takenCount == 39)
    }

    @Test("However many places others want, an administrator gets one", arguments: [1, 2, 3, 4, 5, 16, 400])
    func administrators(_ count: Int) throws {
        var places = SharedSlots(count)
        for role in [Role.look, .deploy] {
            for token in 0..<50 {
                let holder = SharedSlots.Holder(token: "\(role)-\(token)", role: role)
                while places.refusal(of: holder) == nil { try places.take(holder) }
            }
        }
        #expect(count < 2 || places.refusal(of: administrator) == nil)
        #expect(places.takenCount > 0)
    }
}
