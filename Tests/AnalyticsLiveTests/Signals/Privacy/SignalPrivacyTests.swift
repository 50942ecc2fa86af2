import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// Hidden content of signals stays hidden.
@Suite struct SignalPrivacyTests {
    // MARK: Obfuscation

    private func obfuscated(_ signal: any RawSignal) throws -> String? {
        try SignalRecord(signal).obfuscated["data"]?.description
    }

    @Test("Obfuscation hides values of every kind")
    func values() throws {
        let values: JSON = [
            "text": "Zoë 42, Köln", "yes": true, "whole": 1234, "part": 12.5, "below": -7, "nothing": .null,
            "list": ["a1", [false]], "large": 1e300,
        ]
        #expect(
            Obfuscation.obfuscated(values).description
                == #"{"text":"XXX 99, XXXX","yes":"true/false","whole":9999,"part":99.9,"below":99,"nothing":null,"list":["X9",["true/false"]],"large":999999}"#
        )
    }

    @Test(
        "Obfuscation hides the values in an address",
        arguments: [
            ("https://shop.example/cart?user=zoe&id=42#top", "https://shop.example/cart?user=XXX&id=99#XXX"),
            ("https://zoe:pw1@shop.example/a", "https://XXX:XX9@shop.example/a"),
            ("https://shop.example/a?zoe@mail.example", "https://shop.example/a?XXX@XXXX.XXXXXXX"),
            ("https://shop.example/a?x=1=2&y", "https://shop.example/a?x=9=9&X"),
            ("https://shop.example/product/7", "https://shop.example/product/7"),
            ("/relative?token=abc", "/relative?token=XXX"),
            ("", ""),
        ])
    func addresses(address: String, expected: String) {
        #expect(Obfuscation.address(address) == expected)
    }

    @Test("Obfuscation hides the content of signals of every type")
    func allSignals() throws {
        #expect(
            try obfuscated(InteractionSignal(component: "TextField", title: "Name", data: ["value": "Zoë"]))
                == #"{"component":"TextField","title":"XXXX","info":"XXXX","data":{"value":"XXX"}}"#)
        let response = NetworkSignal(
            action: .response, url: "https://a.example/b?q=secret", statusCode: 200, data: ["content": ["id": 7]])
        #expect(
            try obfuscated(response)
                == #"{"action":"response","url":"https://a.example/b?q=XXXXXX","statusCode":200,"status":200,"ok":true,"data":{"content":{"id":9}}}"#
        )
        #expect(
            try obfuscated(LocalDataSignal(action: .saved, identifier: "cart", data: ["total": 12]))
                == #"{"action":"saved","identifier":"cart","data":{"total":99}}"#)
        #expect(
            try obfuscated(NavigationSignal(action: .entering, screen: "Home"))
                == #"{"action":"entering","screen":"Home"}"#)
        #expect(try obfuscated(SignalModelTests.MyKindaSignal(that: "Robbie 1")) == #"{"that":"XXXXXX 9"}"#)
        let event = TrackEvent(event: "Order 7", properties: ["total": 5])
        let raw = try SignalRecord(InstrumentationSignal(event: event)).obfuscated["data"]
        #expect(raw?["type"] == "track")
        #expect(raw?["rawEvent"]?["event"] == "XXXXX 9")
    }

    // MARK: Rules

    private func collected(_ rules: [SignalPrivacyRule], _ signals: any RawSignal...) async -> [JSON] {
        let world = SignalWorld { $0.privacyRules = rules }
        for signal in signals { world.signals.emit(signal) }
        await world.settled()
        return world.collector.signals.compactMap { $0["data"] }
    }

    @Test("A rule removes, obfuscates or replaces a field")
    func fieldRules() async {
        let data = await collected(
            [.field("*password*"), .field("data.user.name", .obfuscate), .field("email", .replace("hidden"))],
            InteractionSignal(
                component: "form",
                data: ["userPassword": "x", "user": ["name": "Zoë", "email": "z@x"], "list": [["Password": 1]]]))
        let expected: JSON = [
            "component": "form", "data": ["list": [[:]], "user": ["email": "hidden", "name": "XXX"]],
        ]
        #expect(data == [expected])
    }

    @Test("Scripts get signals without the fields that rules remove")
    func scripts() async {
        let world = SignalWorld("function processSignal(signal) { analytics.track('Saw', signal.data.data) }") {
            $0.privacyRules = [.field("card")]
        }
        world.signals.emit(InteractionSignal(component: "form", data: ["card": "4111", "total": 3]))
        #expect(await world.events().first?["properties"]?.description == #"{"total":3}"#)
    }

    @Test("A rule for a screen removes all signals from that screen")
    func screenRules() async {
        let data = await collected(
            [.screen("Pay*")], NavigationSignal(action: .entering, screen: "Home"), InteractionSignal(component: "a"),
            NavigationSignal(action: .entering, screen: "Payment"), InteractionSignal(component: "b"),
            NavigationSignal(action: .leaving, screen: "Payment"), NavigationSignal(action: .entering, screen: "Home"),
            InteractionSignal(component: "c"))
        #expect(
            data.compactMap { $0["component"]?.stringValue ?? $0["screen"]?.stringValue } == ["Home", "a", "Home", "c"])
    }

    @Test("A rule for a screen can obfuscate its signals")
    func obfuscatedScreens() async {
        let data = await collected(
            [.screen("Payment", .obfuscate)], NavigationSignal(action: .entering, screen: "Payment"),
            InteractionSignal(component: "button", title: "Pay 7 €"))
        #expect(data.first?["screen"] == "XXXXXXX")
        #expect(data.last?["title"] == "XXX 9 €")
    }

    @Test("A rule for a component removes or obfuscates its signals")
    func componentRules() async {
        let data = await collected(
            [.component("SecureField"), .component("Text*", .obfuscate)], InteractionSignal(component: "SecureField"),
            InteractionSignal(component: "TextField", title: "Name"),
            InteractionSignal(component: "button", title: "Go"))
        #expect(data.compactMap { $0["title"]?.stringValue } == ["XXXX", "Go"])
    }

    @Test("Typed broadcasters get signals after the rules, and no signal that lost a needed member")
    func typedBroadcasters() async {
        let debug = DebugBroadcaster { _ in }
        let world = SignalWorld { configuration in
            configuration.broadcasters = [debug]
            configuration.privacyRules = [.field("title", .obfuscate), .field("that")]
        }
        world.signals.emit(InteractionSignal(component: "button", title: "Name"))
        world.signals.emit(SignalModelTests.MyKindaSignal(that: "x"))
        await world.settled()
        #expect((debug.last as? InteractionSignal)?.data.title == "XXXX")
        #expect(debug.signals.count == 1, "a type that cannot do without the member is left out, and named")
        #expect(world.client.diagnostics.all(.signals).first?.message.contains("MyKindaSignal") == true)
    }
}
