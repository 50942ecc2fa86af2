// The views of the stubs can be asked what they would do when they appear; SwiftUI's own cannot.
#if canImport(AppleFoundation)
import SwiftUI
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Screens of SwiftUI")
struct ScreenTrackingTests {
    @Test("A view makes a screen event each time it appears")
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

    @Test("A view makes an event each time it is tapped")
    @MainActor func taps() async throws {
        let client = Client { $0.setTrackedApplicationLifecycleEvents(.none) }
        let view = Text("Buy").trackTap("Buy Tapped", properties: ["sku": "a"], with: client.analytics)
        let tapped = try #require(view as? Gesturing<Text, _EndedGesture<TapGesture>>)
        for _ in 0..<2 { tapped.gesture.end(()) }
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Buy Tapped", "Buy Tapped"])
        #expect(client.server.events.first?["properties"] == ["sku": "a"])
    }

    @Test("Views find the client in their environment")
    func environment() {
        var values = EnvironmentValues()
        #expect(values.analytics == nil)
        let client = Client()
        values.analytics = client.analytics
        #expect(values.analytics === client.analytics)
    }

    @Test("A tracked view without a client does nothing")
    @MainActor func preview() throws {
        let view = Text("Cart").trackScreen("Cart", with: nil)
        try #require(view as? Appearing<Text>).appear?()
    }
}
#endif
