import Dispatch
import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// The way of a signal from the call to its receivers.
@Suite struct SignalEmissionTests {
    /// A signal without an id of its own, which those of `Signals.shared` have when it belongs to a client.
    private func screen(_ name: String) -> NavigationSignal {
        var signal = NavigationSignal(action: .entering, screen: name)
        signal.anonymousId = ""
        return signal
    }

    @Test("Signals from before the client come first, in their order")
    func beforeClient() async {
        let signals = Signals { 0 }
        signals.emit(screen("1"))
        signals.emit(signal: screen("2"))
        let world = SignalWorld(signals: signals)
        signals.emit(screen("3"))
        await world.settled()
        #expect(world.collector.screens == ["1", "2", "3"])
        #expect(world.collector.signals.compactMap { $0["index"]?.intValue } == [0, 1, 2])
        let id = world.client.analytics.anonymousId
        #expect(world.collector.signals.allSatisfy { $0["anonymousId"]?.stringValue == id })
        #expect(world.collector.hadClient)
    }

    @Test("The buffer bounds the waiting signals and keeps the newest")
    func waitingBound() async {
        let signals = Signals { 0 }
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY", maximumBufferSize: 10))
        for number in 0..<25 { signals.emit(screen("\(number)")) }
        #expect(signals.waiting == 10)
        let world = SignalWorld(signals: signals) { $0.maximumBufferSize = 10 }
        await world.settled()
        #expect(world.collector.screens == (15..<25).map(String.init))
        #expect(world.client.diagnostics.all(.signals).map(\.count) == [15])
    }

    /// A signal that counts how many of it there are.
    private struct Weighed: RawSignal {
        final class Weight: Codable, Sendable {
            static let alive = LockBox(0)

            init() { Self.alive.withLock { $0 += 1 } }
            init(from decoder: any Decoder) throws { Self.alive.withLock { $0 += 1 } }
            deinit { Self.alive.withLock { $0 -= 1 } }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode("weight")
            }
        }
        var anonymousId = ""
        var type = SignalType.userDefined
        var timestamp = "now"
        var index = -1
        var data = Weight()
    }

    @Test("A million waiting signals use no more memory than the buffer")
    func million() async {
        let signals = Signals { 0 }
        for _ in 0..<1_000_000 { signals.emit(Weighed()) }
        #expect(signals.waiting == 1000)
        #expect(Weighed.Weight.alive.withLock { $0 } == 1000)
        let world = SignalWorld(signals: signals)
        await world.settled()
        #expect(world.collector.signals.compactMap { $0["index"]?.intValue } == Array(999_000..<1_000_000))
        #expect(world.client.diagnostics.all(.signals).map(\.count) == [999_000])
        #expect(Weighed.Weight.alive.withLock { $0 } == 0, "what was processed is kept as text")
    }

    @Test("Any thread can emit signals, and each signal arrives once")
    func threads() async {
        let world = SignalWorld { $0.maximumBufferSize = 2000 }
        DispatchQueue.concurrentPerform(iterations: 1000) { world.signals.emit(screen("\($0)")) }
        await world.settled()
        #expect(world.collector.signals.compactMap { $0["index"]?.intValue } == Array(0..<1000))
        #expect(Set(world.collector.screens).count == 1000)
    }

    @Test func eachEventMakesASignal() async {
        let world = SignalWorld()
        world.client.analytics.trackAllTypes()
        world.client.analytics.page(title: "Docs")
        await world.settled()
        #expect(world.collector.eventTypes == ["track", "identify", "screen", "group", "alias", "unknown"])
        let raw = world.collector.signals.first?["data"]?["rawEvent"]
        #expect(raw?["event"] == "A")
        #expect(raw?["properties"]?.description == #"{"a":1}"#)
        #expect(raw?["messageId"] != nil)
    }

    @Test func linksAndNotificationsMakeSignals() async throws {
        let world = SignalWorld()
        world.client.analytics.openURL(try #require(URL(string: "https://shop.example/sale")))
        world.client.analytics.receivedRemoteNotification(userInfo: ["sale": true])
        await world.settled()
        let names = world.collector.signals.compactMap { $0["data"]?["rawEvent"]?["event"]?.stringValue }
        #expect(names.sorted() == ["Deep Link Opened", "Push Notification Received"])
        // A notification is no event of the client.
        #expect(world.collector.eventTypes.sorted() == ["track", "unknown"])
    }

    #if os(Linux)
    @Test("Lifecycle events of the app make signals")
    func lifecycle() async {
        let world = SignalWorld()
        world.client.analytics.add(plugin: LinuxLifecycle(version: "1", build: "1"))
        await world.settled()
        let names = world.collector.signals.compactMap { $0["data"]?["rawEvent"]?["event"]?.stringValue }
        #expect(names.last == "Application Opened")
        #expect(world.collector.eventTypes == names.map { _ in "track" })
    }
    #endif

    /// Scripts run on the client's executor. While the executor is held, calls of `emit` return.
    @Test("Emitting does not wait for the client's executor")
    func emitting() async {
        let world = SignalWorld()
        await world.settled()
        let gate = DispatchSemaphore(value: 0)
        world.client.analytics.performBetweenEvents { gate.wait() }
        for number in 0..<100 { world.signals.emit(screen("\(number)")) }
        #expect(world.signals.waiting == 100)
        #expect(world.collector.signals.isEmpty)
        gate.signal()
        await world.settled()
        #expect(world.collector.screens == (0..<100).map(String.init))
    }

    @Test("Without a broadcaster no signal leaves the device")
    func noBroadcaster() async {
        for broadcasters in [[], nil] as [[any SignalBroadcaster]?] {
            let world = SignalWorld("function processSignal(signal) {}") { configuration in
                configuration.broadcasters = broadcasters
                configuration.sendDebugSignalsToSegment = true
                configuration.relayCount = 1
            }
            for number in 0..<50 { world.signals.emit(screen("\(number)")) }
            world.signals.flush()
            #expect(await world.events().isEmpty)
            #expect(world.signals.waiting == 0)
        }
    }

    @Test("A configuration that comes after the client applies to later signals")
    func lateConfiguration() async {
        let world = SignalWorld()
        world.signals.emit(screen("1"))
        await world.settled()
        let other = SignalCollector()
        world.signals.useConfiguration(SignalsConfiguration(writeKey: "KEY", broadcasters: [other]))
        world.signals.emit(screen("2"))
        await world.settled()
        #expect(world.collector.screens == ["1"])
        #expect(other.screens == ["2"])
    }

    @Test("Signals work without a configuration")
    func noConfiguration() async {
        let client = Client()
        let signals = Signals { 0 }
        client.analytics.add(plugin: signals)
        signals.emit(screen("1"))
        await signals.settled(with: client)
        #expect(signals.waiting == 0)
        #expect(client.diagnostics.all(.signals).isEmpty)
    }

    @Test("A capture is off unless the app switches it on")
    func captures() async {
        let world = SignalWorld { $0.useNetworkAutoSignal = true }
        world.signals.emit(screen("UIKit"), source: .autoUIKit)
        world.signals.emit(screen("network"), source: .autoNetwork)
        await world.settled()
        #expect(world.collector.screens == ["network"])
        #expect(world.signals.takes(.autoNetwork) && world.signals.takes(.manual) && !world.signals.takes(.autoUIKit))
    }

    @Test("Settings can switch a capture off and sample its signals")
    func sampledCaptures() async {
        let world = SignalWorld(
            draw: 0.5,
            autoInstrumentation: [
                "sampleRate": 0.4, "sources": ["network": ["enabled": false], "swiftUI": ["sampleRate": 0.6]],
            ]
        ) { configuration in
            configuration.useNetworkAutoSignal = true
            configuration.useSwiftUIAutoSignal = true
            configuration.useUIKitAutoSignal = true
        }
        await world.settled()
        for source in SignalSource.allCases { world.signals.emit(screen(source.rawValue), source: source) }
        await world.settled()
        #expect(world.collector.screens == ["autoSwiftUI", "manual"])
    }

    @Test("A broadcaster relays after a number of signals and after a time")
    func relays() async {
        let world = SignalWorld { configuration in
            configuration.relayCount = 3
            configuration.relayInterval = 60
        }
        for number in 0..<7 { world.signals.emit(screen("\(number)")) }
        await world.settled()
        #expect(world.collector.relays == [3, 6])
        await world.client.time.pass(60)
        await world.settled()
        #expect(world.collector.relays == [3, 6, 7])
    }

    @Test("A signal that cannot be encoded or is too large is left out and reported")
    func unwritable() async {
        struct Unwritable: RawSignal {
            struct Content: Codable {
                init() {}
                init(from decoder: any Decoder) throws {}
                func encode(to encoder: any Encoder) throws {
                    throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "no"))
                }
            }
            var anonymousId = ""
            var type = SignalType.userDefined
            var timestamp = Date().iso8601()
            var index = -1
            var data = Content()
        }
        let world = SignalWorld()
        world.signals.emit(Unwritable())
        world.signals.emit(screen(String(repeating: "x", count: SignalLimits.signalBytes)))
        world.signals.emit(screen("Home"))
        await world.settled()
        #expect(world.collector.screens == ["Home"])
        let messages = world.client.diagnostics.all(.signals).map(\.message)
        #expect(messages.count == 2)
        #expect(messages.first?.contains("Unwritable") == true)
    }

    @Test("The client that was added last gets the signals")
    func lastClient() async {
        let first = SignalWorld()
        await first.settled()
        let second = SignalWorld(signals: first.signals)
        first.signals.emit(screen("1"))
        await second.settled()
        #expect(first.collector.screens.isEmpty)
        #expect(second.collector.screens == ["1"])
        await first.client.ended()
        first.signals.emit(screen("2"))
        await second.settled()
        #expect(second.collector.screens == ["1", "2"])
        await second.client.ended()
        first.signals.emit(screen("3"))
        #expect(first.signals.waiting == 1)
    }

    @Test("A signal that the app passes to a broadcaster and that cannot be encoded is reported")
    func unwritableForBroadcaster() async {
        struct Unwritable: RawSignal {
            struct Content: Codable {
                let text: String
                init(text: String) { self.text = text }
                func encode(to encoder: any Encoder) throws {
                    throw EncodingError.invalidValue(text, .init(codingPath: [], debugDescription: "no"))
                }
            }
            var anonymousId = ""
            var type = SignalType.userDefined
            var timestamp = Date().iso8601()
            var index = -1
            var data = Content(text: "x")
        }
        let debug = DebugBroadcaster { _ in }
        let world = SignalWorld { $0.broadcasters = [debug] }
        await world.settled()
        debug.added(signal: Unwritable())
        await world.settled()
        #expect(debug.signals.isEmpty)
        let told = world.client.diagnostics.all(.signals)
        #expect(told.map(\.plugin) == ["DebugBroadcaster"])
        #expect(told.first?.message.contains("Unwritable") == true)
    }
}
