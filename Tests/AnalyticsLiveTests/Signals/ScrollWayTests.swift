import Testing

@testable import AnalyticsLive

@Suite("The way of a scroll view's content")
struct ScrollWayTests {
    @Test("The way is known when the user lets go, and only then")
    func letGo() {
        var way = ScrollWay()
        #expect(way.take(isDriven: false, x: 0, y: 0) == nil)
        #expect(way.take(isDriven: true, x: 0, y: 5) == nil)
        #expect(way.take(isDriven: true, x: 0, y: 60) == nil)
        let moved = way.take(isDriven: false, x: 3, y: 95)
        #expect(moved?.x == 3 && moved?.y == 90)
        // The content comes to rest, which is no second movement.
        #expect(way.take(isDriven: false, x: 3, y: 300) == nil)
    }

    @Test("A movement of a few points is none, and neither is one of the app")
    func small() {
        var way = ScrollWay()
        #expect(way.take(isDriven: true, x: 0, y: 0) == nil)
        #expect(way.take(isDriven: false, x: 6, y: 7) == nil)
        #expect(way.take(isDriven: false, x: 0, y: 900) == nil)
    }

    @Test("The direction is where the user sees more of the content")
    func directions() {
        #expect(ScrollWay.direction((0, 40)) == "down")
        #expect(ScrollWay.direction((2, -40)) == "up")
        #expect(ScrollWay.direction((40, 2)) == "right")
        #expect(ScrollWay.direction((-40, 2)) == "left")
    }
}

@Suite("The tabs of tab bar controllers")
struct TabTrailTests {
    @Test("A change is reported once, whichever way the system says it")
    func once() {
        var trail = TabTrail<Int>()
        #expect(trail.shows("Home", in: 1) == nil)
        #expect(trail.shows("Cart", after: "Home", in: 1) == "Home")
        #expect(trail.shows("Cart", in: 1) == nil)
        #expect(trail.shows("Home", in: 1) == "Cart")
    }

    @Test("A controller whose first tab was not seen takes the former tab from the system")
    func late() {
        var trail = TabTrail<Int>()
        #expect(trail.shows("Cart", after: "Home", in: 1) == "Home")
        #expect(trail.shows("A", in: 2) == nil)
        #expect(trail.shows("Cart", after: "Cart", in: 3) == nil)
    }

    @Test("It remembers a bounded number of controllers")
    func bound() {
        var trail = TabTrail<Int>()
        for controller in 0..<TabTrail<Int>.controllers + 1 { #expect(trail.shows("A", in: controller) == nil) }
        #expect(trail.shows("B", in: 0) == nil)
        #expect(trail.shows("B", in: TabTrail<Int>.controllers) == "A")
    }
}
