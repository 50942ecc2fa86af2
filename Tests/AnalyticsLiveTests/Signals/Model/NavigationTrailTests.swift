import Testing

@testable import AnalyticsLive

@Suite("The stack of screens of SwiftUI")
struct NavigationTrailTests {
    private typealias Trail = NavigationTrail<Int>

    private func told(_ steps: [NavigationData]) -> [String] {
        steps.map { "\($0.action) \($0.screen)" + ($0.previousScreen.map { " from \($0)" } ?? "") }
    }

    @Test(
        "another tab is a page in both directions, whichever of both tabs SwiftUI reports first",
        arguments: [true, false])
    func tabs(isNewFirst: Bool) {
        var trail = Trail()
        let first = told(trail.appeared(1, "Shop", by: .page))
        #expect(first == ["entering Shop"])
        for (old, oldName, new, newName) in [(1, "Shop", 2, "Cart"), (2, "Cart", 1, "Shop")] {
            var left: [String] = []
            if !isNewFirst { left = told(trail.disappeared(old, oldName)) }
            let entered = told(trail.appeared(new, newName, by: .page))
            if isNewFirst { left = told(trail.disappeared(old, oldName)) }
            #expect(entered == ["page \(newName) from \(oldName)", "entering \(newName) from \(oldName)"])
            #expect(left == ["leaving \(oldName)"])
            #expect(trail.top == newName)
        }
    }

    @Test("a sheet over a tab goes back to the tab")
    func sheet() {
        var trail = Trail()
        _ = trail.appeared(1, "Shop", by: .page)
        let there = told(trail.appeared(2, "Help", by: .modal))
        #expect(there == ["modal Help from Shop", "entering Help from Shop"])
        let back = told(trail.disappeared(2, "Help"))
        #expect(back == ["backward Shop from Help", "leaving Help"])
    }

    @Test("a push covers a screen, and a pop goes back to it")
    func push() {
        var trail = Trail()
        let steps = [
            trail.appeared(1, "Shop"), trail.appeared(2, "Cart"), trail.disappeared(1, "Shop"),
            trail.appeared(1, "Shop"),
            trail.disappeared(2, "Cart"),
        ].map(told)
        #expect(
            steps == [
                ["entering Shop"], ["forward Cart from Shop", "entering Cart from Shop"], ["leaving Shop"],
                ["backward Shop from Cart", "entering Shop from Cart"], ["leaving Cart"],
            ])
    }
}
