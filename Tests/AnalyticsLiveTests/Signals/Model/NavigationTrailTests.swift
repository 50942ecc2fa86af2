import Testing

@testable import AnalyticsLive

@Suite("Screens by their names and their way")
struct NavigationTrailTests {
    private typealias Trail = NavigationTrail<Int>

    private func told(_ steps: [NavigationData]) -> [String] {
        steps.map { "\($0.action.rawValue) \($0.screen)" + ($0.previousScreen.map { " from \($0)" } ?? "") }
    }

    @Test(
        "Another tab makes a page signal in both directions, whichever tab SwiftUI reports first",
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

    @Test("A sheet over a tab goes back to the tab")
    func sheet() {
        var trail = Trail()
        _ = trail.appeared(1, "Shop", by: .page)
        let there = told(trail.appeared(2, "Help", by: .modal))
        #expect(there == ["modal Help from Shop", "entering Help from Shop"])
        let back = told(trail.disappeared(2, "Help"))
        #expect(back == ["backward Shop from Help", "leaving Help"])
    }

    @Test("Screens on top of one another make each navigation signal once")
    func ways() {
        var trail = NavigationTrail<Int>()
        #expect(told(trail.appeared(1, "Home")) == ["entering Home"])
        #expect(told(trail.appeared(2, "List")) == ["forward List from Home", "entering List from Home"])
        #expect(told(trail.disappeared(1, "Home")) == ["leaving Home"])
        #expect(told(trail.appeared(3, "Detail")) == ["forward Detail from List", "entering Detail from List"])
        #expect(told(trail.disappeared(2, "List")) == ["leaving List"])
        #expect(told(trail.disappeared(3, "Detail")) == ["backward List from Detail", "leaving Detail"])
        #expect(told(trail.appeared(2, "List")) == ["entering List"])
        #expect(told(trail.appeared(1, "Home")) == ["backward Home from List", "entering Home from List"])
        #expect(told(trail.disappeared(2, "List")) == ["leaving List"])
        #expect(trail.top == "Home")
        for id in 10..<1000 { _ = trail.appeared(id, "\(id)") }
        #expect(trail.top == "999")
    }

    @Test("The name of a screen is the type of its view, without wrappers")
    func names() {
        let names = [
            "ProductDetail": "ProductDetail", "Shop.ProductDetail": "ProductDetail",
            "ModifiedContent<Shop.ProductDetail, _PaddingLayout>": "ProductDetail",
            "ModifiedContent<ModifiedContent<Cart, A<B, C>>, D>": "Cart", "Optional<Shop.Cart>": "Cart",
            "Grid<Cart>": "Grid", "(unknown context at $1).Cart": "Cart", "": "", "A<": "A", "Optional<": "Optional<",
            "TupleView<(Cart, Text)>": "Cart",
        ]
        for (type, name) in names { #expect(ScreenNaming.name(ofType: type) == name, "\(type)") }
    }
}
