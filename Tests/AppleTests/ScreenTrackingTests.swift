// The views of the stubs can be asked what they would do when they appear; SwiftUI's own cannot.
#if canImport(AppleFoundation)
import SwiftUI
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Screens of SwiftUI")
struct ScreenTrackingTests {
    @Test("a view that appears is a screen, each time")
    @MainActor func appears() async throws {
        let client = Client { $0.setTrackedApplicationLifecycleEvents(.none) }
        let view = Text("Cart").trackScreen("Cart", category: "Shop", properties: ["items": 2], with: client.analytics)
        let appearing = try #require(view as? Appearing<Text>)
        appearing.appear?()
        appearing.appear?()
        #expect(await client.flushed() == .sent)
        let screens = client.server.events
        #expect(screens.map { $0["name"]?.stringValue } == ["Cart", "Cart"])
        #expect(screens.first?["category"] == "Shop")
        #expect(screens.first?["properties"] == ["items": 2])
    }

    @Test("without a client nothing happens")
    @MainActor func preview() throws {
        let view = Text("Cart").trackScreen("Cart", with: nil)
        try #require(view as? Appearing<Text>).appear?()
    }
}
#endif
