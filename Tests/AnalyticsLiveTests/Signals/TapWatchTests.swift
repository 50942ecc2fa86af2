import Testing

@testable import AnalyticsLive

@Suite("Taps and touches that move")
struct TapWatchTests {
    private func isTap(_ from: (Double, Double), _ to: (Double, Double), isPanning: Bool = false) -> Bool {
        var watch = TapWatch<Int>()
        _ = watch.take(1, .began, x: from.0, y: from.1, isPanning: false)
        return watch.take(1, .ended, x: to.0, y: to.1, isPanning: isPanning)
    }

    @Test("A finger that hardly moves makes a tap") func tap() { #expect(isTap((100, 100), (104, 97))) }

    @Test("A scroll makes no tap") func scroll() { #expect(!isTap((100, 100), (100, 160))) }

    @Test("A touch that was recognized as a scroll makes no tap, though it ends where it began")
    func recognized() { #expect(!isTap((100, 100), (100, 100), isPanning: true)) }

    @Test("Each finger is tracked by itself")
    func fingers() {
        var watch = TapWatch<Int>()
        _ = watch.take(1, .began, x: 0, y: 0, isPanning: false)
        _ = watch.take(2, .began, x: 200, y: 200, isPanning: false)
        let scrolled = watch.take(1, .ended, x: 0, y: 90, isPanning: false)
        let tapped = watch.take(2, .ended, x: 201, y: 200, isPanning: false)
        #expect(!scrolled)
        #expect(tapped)
    }

    @Test("A touch that was cancelled, or whose beginning was missed, makes no tap")
    func unknown() {
        var watch = TapWatch<Int>()
        _ = watch.take(1, .began, x: 0, y: 0, isPanning: false)
        _ = watch.take(1, .cancelled, x: 0, y: 0, isPanning: false)
        let cancelled = watch.take(1, .ended, x: 0, y: 0, isPanning: false)
        let unseen = watch.take(2, .ended, x: 0, y: 0, isPanning: false)
        #expect(!cancelled)
        #expect(!unseen)
    }
}
