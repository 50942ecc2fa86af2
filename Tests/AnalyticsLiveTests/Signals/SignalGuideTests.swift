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

    @Test("The generator of the guide makes the events that the guide shows")
    func guideGenerator() async throws {
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

    @Test("The privacy rules of the guide remove and obfuscate as documented")
    func guideRules() async {
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

/// The behaviour of both guides' examples in Swift. scripts/check-docs shows that they compile as they stand.
@Suite struct SignalGuideBehaviourTests {
    private struct SearchSignal: RawSignal {
        struct SearchData: Codable { let words: String }
        var anonymousId = Signals.shared.anonymousId
        var type = SignalType.userDefined
        var timestamp = Date().iso8601()
        var index = Signals.shared.nextIndex
        var data: SearchData
    }

    @Test("The guide's signal of an app's own type reaches a broadcaster")
    func ownSignal() async {
        let world = SignalWorld()
        world.signals.emit(SearchSignal(data: .init(words: "lamp")))
        await world.settled()
        #expect(world.collector.signals.compactMap { $0["data"]?.description } == [#"{"words":"lamp"}"#])
    }

    @Test("The settings of the guide sample each capture as documented")
    func guideSettings() async throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let guide = root.appendingPathComponent("docs/guides/signal-capture.md")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
        let shown = try JSON.parse(try #require(block.components(separatedBy: "\n```").first))
        let automatic = try #require(shown["autoInstrumentationSettings"])
        var told: [Double: [String]] = [:]
        for draw in [0.05, 0.3, 0.7] {
            let world = SignalWorld(draw: draw, autoInstrumentation: automatic) { configuration in
                configuration.useNetworkAutoSignal = true
                configuration.useSwiftUIAutoSignal = true
                configuration.useUIKitAutoSignal = true
            }
            await world.settled()
            told[draw] = SignalSource.allCases.filter(world.signals.takes).map(\.rawValue).sorted()
            world.signals.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
        }
        #expect(
            told == [0.05: ["autoNetwork", "autoUIKit", "manual"], 0.3: ["autoUIKit", "manual"], 0.7: ["manual"]])
    }
}
