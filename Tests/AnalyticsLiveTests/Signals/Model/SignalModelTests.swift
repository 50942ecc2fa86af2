import AnalyticsLive
import Foundation
import Testing
import Tributary

/// What signals look like in code and on the wire.
@Suite struct SignalModelTests {
    /// The signal of an app's own, as the documentation writes it.
    struct MyKindaSignal: RawSignal {
        struct MyKindaData: Codable {
            let that: String
        }

        var anonymousId: String = Signals.shared.anonymousId
        var type: SignalType = .userDefined
        var timestamp: String = Date().iso8601()
        var index: Int = Signals.shared.nextIndex
        var data: MyKindaData

        init(that: String) {
            self.data = MyKindaData(that: that)
        }
    }

    private func wire(_ signal: some RawSignal) throws -> JSON {
        var signal = signal
        signal.anonymousId = "anon"
        signal.index = 7
        return try signal.json()
    }

    private func check(_ signal: some RawSignal, holds expected: JSON) throws {
        let found = try wire(signal)["data"]
        #expect(found == expected)
    }

    @Test("The JSON of a signal has its ids, its type, its time and its data")
    func envelope() throws {
        var signal = NavigationSignal(action: .entering, screen: "Home")
        signal.timestamp = "2026-01-02T03:04:05.006Z"
        #expect(
            try wire(signal).description == """
                {"anonymousId":"anon","type":"navigation","timestamp":"2026-01-02T03:04:05.006Z","index":7,\
                "data":{"action":"entering","screen":"Home"}}
                """)
    }

    @Test("A navigation signal has both screens when they are known")
    func navigation() throws {
        try check(
            NavigationSignal(currentScreen: "Cart", previousScreen: "Home"),
            holds: [
                "action": "entering", "screen": "Cart", "currentScreen": "Cart", "previousScreen": "Home",
            ])
        let names = ["forward", "backward", "modal", "entering", "leaving", "page", "popup"]
        #expect(NavigationAction.allCases.map(\.rawValue) == names)
    }

    @Test("An interaction signal has its title also as info")
    func interaction() throws {
        let signal = InteractionSignal(component: "button", title: "Buy", data: ["productId": "123", "count": 2])
        try check(
            signal,
            holds: [
                "component": "button", "title": "Buy", "info": "Buy", "data": ["count": 2, "productId": "123"],
            ])
        try check(InteractionSignal(component: "button"), holds: ["component": "button"])
    }

    @Test("Content of an app's own type is encoded into network and data signals")
    func ownContent() throws {
        struct Product: Codable { let id: Int }
        let signal = NetworkSignal(
            action: .response, url: "https://shop.example/product/1", statusCode: 404, data: ["content": Product(id: 1)]
        )
        try check(
            signal,
            holds: [
                "action": "response", "url": "https://shop.example/product/1", "statusCode": 404, "status": 404,
                "ok": false, "data": ["content": ["id": 1]],
            ])
        let local = LocalDataSignal(action: .saved, identifier: "cart", data: Product(id: 3))
        try check(local, holds: ["action": "saved", "identifier": "cart", "data": ["id": 3]])
        let address = NetworkSignal(action: .request, url: URL(string: "https://a.example/b"), data: JSON?.none)
        #expect(address.data.url == "https://a.example/b")
    }

    @Test("An instrumentation signal has the type of its event, or unknown")
    func instrumentation() throws {
        let event = TrackEvent(event: "Order Completed", properties: ["total": 5])
        let data = try wire(InstrumentationSignal(event: event))["data"]
        #expect(data?["type"] == "track")
        #expect(data?["rawEvent"]?["event"] == "Order Completed")
        #expect(data?["rawEvent"]?["properties"]?.description == #"{"total":5}"#)
        #expect(InstrumentationData(rawEvent: ["type": "page"]).type == .unknown)
        #expect(InstrumentationData(rawEvent: [:]).type == .unknown)
    }

    @Test("A signal of an app's own type keeps its members")
    func ownSignal() throws {
        struct Rated: RawSignal {
            var anonymousId = ""
            var type = SignalType.userDefined
            var timestamp = "now"
            var index = -1
            var data = ["stars": 5]
            var context = ["app": "shop"]
        }
        let wired = try wire(Rated())
        #expect(wired["data"]?.description == #"{"stars":5}"#)
        #expect(wired["context"]?.description == #"{"app":"shop"}"#)
        #expect(wired["anonymousId"]?.stringValue == "anon")
        #expect(wired["index"]?.intValue == 7)
        try check(MyKindaSignal(that: "Robbie Ray Rana"), holds: ["that": "Robbie Ray Rana"])
    }

    @Test("Signals are decoded from their JSON without a change")
    func decoding() throws {
        func same<Signal: RawSignal & Equatable>(_ signal: Signal) throws {
            #expect(try signal.json().decode(Signal.self) == signal)
            #expect(try JSONDecoder().decode(Signal.self, from: JSONEncoder().encode(signal)) == signal)
        }
        try same(NavigationSignal(currentScreen: "Cart", previousScreen: "Home"))
        try same(InteractionSignal(component: "button", title: "Buy", data: ["a": [1, 2]]))
        try same(NetworkSignal(action: .response, url: "https://a.example", statusCode: 200, data: ["body": "x"]))
        try same(LocalDataSignal(action: .deleted, identifier: "cart"))
        try same(InstrumentationSignal(event: TrackEvent(event: "A", properties: nil)))
    }

    @Test("Times of signals are written as the protocol demands")
    func moments() {
        #expect(Date(timeIntervalSince1970: 1_767_323_045.006).iso8601() == "2026-01-02T03:04:05.006Z")
        #expect(NavigationSignal(action: .page, screen: "a").timestamp.count == 24)
    }

    @Test("Each index of a signal is given once")
    func indexes() {
        let signals = Signals { 0 }
        #expect(signals.nextIndex == 0)
        #expect(signals.nextIndex == 1)
        let first = Signals.shared.nextIndex
        #expect(Signals.shared.nextIndex > first)
    }
}
