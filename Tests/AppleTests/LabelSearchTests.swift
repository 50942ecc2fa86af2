#if canImport(AppleFoundation)
import SwiftUI
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("The search for a label's text")
@MainActor
struct LabelSearchTests {
    @Test("A label is searched once, when a signal is made")
    func lazily() {
        let looks = LockBox(0)
        let name = ViewTitle.of(Watched(looks: looks))
        #expect(looks.withLock { $0 } == 0)
        #expect(name.text == "Buy")
        #expect(name.text == "Buy")
        #expect(looks.withLock { $0 } == 1)
    }

    @Test("The label search does not enter an annotated control")
    func annotated() {
        let looks = LockBox(0)
        let name = ViewTitle.of(Watched(looks: looks))
        name.annotation = "Cart"
        #expect(name.text == "Cart")
        #expect(looks.withLock { $0 } == 0)
    }

    @Test("The label search in a large view ends early")
    func budget() {
        let looks = LockBox(0)
        let views = (0..<20).map { _ in (0..<20).map { _ in Silent(looks: looks) } }
        #expect(LabelSearch(views).result == nil)
        #expect(looks.withLock { $0 } < 300)
    }

    @Test("The label search reads texts and does not enter the app's own objects")
    func objects() {
        #expect(LabelSearch([Model()]).result == nil)
        #expect(LabelSearch([OwnTextStorage()]).result == "Buy")
    }

    @Test("The keys of a dictionary are not taken for a label")
    func dictionary() {
        #expect(LabelSearch(["secret": 1]).result == nil)
        #expect(LabelSearch(["secret": Text("Buy")]).result == nil)
    }
}

private struct Watched: View, CustomReflectable {
    let looks: LockBox<Int>
    var body: Text { Text("Buy") }
    nonisolated var customMirror: Mirror {
        looks.withLock { $0 += 1 }
        return Mirror(self, children: ["verbatim": "Buy"])
    }
}

private struct Silent: CustomReflectable {
    let looks: LockBox<Int>
    var customMirror: Mirror {
        looks.withLock { $0 += 1 }
        return Mirror(self, children: [:])
    }
}

private final class Model {
    let verbatim = "Secret"
}

private final class OwnTextStorage {
    let verbatim = "Buy"
}
#endif
