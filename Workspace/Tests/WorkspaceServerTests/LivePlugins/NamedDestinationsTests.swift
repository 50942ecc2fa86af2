import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Destinations that stored events name") struct NamedDestinationsTests {
    @Test("Each source has its own names, which stay known, and only newer events are read again")
    func names() {
        let named = NamedDestinations()
        #expect(named.through(1) == .min)
        #expect(named.add(["A", "B"], through: 7, of: 1) == ["A", "B"])
        #expect(named.add(["C"], through: 9, of: 1) == ["A", "B", "C"])
        #expect(named.through(1) == 9)
        // A check that began earlier ends later.
        #expect(named.add(["D"], through: 8, of: 1) == ["A", "B", "C", "D"])
        #expect(named.through(1) == 9)
        #expect(named.through(2) == .min)
        #expect(named.add([], through: .min, of: 2) == [])
    }

    @Test("The names are bounded")
    func bound() {
        let named = NamedDestinations()
        let names = Set((0..<2 * Limits.dryRunKnownDestinations).map { "D\($0)" })
        #expect(named.add(names, through: 1, of: 1).count == Limits.dryRunKnownDestinations)
    }
}
