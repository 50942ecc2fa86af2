import Foundation
import Testing
import Tributary

@testable import AnalyticsLive

/// The examples of docs/guides/signals.md.
@Suite struct SignalGuideTests {
    private func block(_ kind: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let text = try String(contentsOf: root.appendingPathComponent("docs/guides/signals.md"), encoding: .utf8)
        let parts = text.components(separatedBy: "```\(kind)\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "\n```").first)
    }

    @Test func theGeneratorMakesTheEventsThatTheGuideShows() async throws {
        let world = SignalWorld(try block("js generator"))
        world.signals.emit(NavigationSignal(action: .entering, screen: "Home"))
        world.signals.emit(InteractionSignal(component: "button", title: "Add To Cart", data: ["productId": "123"]))
        let expected = try #require(try JSON.parse(try block("json events")).elements)
        let events = await world.events()
        #expect(events.count == expected.count)
        for (event, shown) in zip(events, expected) {
            for (key, value) in shown.objectValue ?? JSONObject() { #expect(event[key] == value, "\(key)") }
        }
    }

    @Test func theRulesOfTheGuideHold() async {
        let world = SignalWorld { configuration in
            configuration.privacyRules = [
                .field("*password*"), .field("data.user.name", .obfuscate), .screen("Payment"),
                .component("SecureField"),
            ]
        }
        world.signals.emit(InteractionSignal(component: "SecureField"))
        world.signals.emit(InteractionSignal(component: "form", data: ["password": "x", "user": ["name": "Zoë"]]))
        world.signals.emit(NavigationSignal(action: .entering, screen: "Payment"))
        world.signals.emit(InteractionSignal(component: "button"))
        await world.settled()
        #expect(
            world.collector.signals.compactMap { $0["data"]?.description }
                == [#"{"component":"form","data":{"user":{"name":"XXX"}}}"#])
    }
}
