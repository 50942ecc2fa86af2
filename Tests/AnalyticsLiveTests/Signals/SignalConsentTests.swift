import Dispatch
import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("Consent holds for signals as for events")
struct SignalConsentTests {
    /// One broadcaster of each kind, and the signals that it has passed on.
    private struct Everybody {
        let hook = HookServer()
        let own = SignalCollector()
        let debug = DebugBroadcaster { _ in }
        let file: URL
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            file = folder.url.appendingPathComponent("session.ndjson")
        }

        func broadcasters() throws -> [any SignalBroadcaster] {
            [
                own, debug, SessionRecorder(recordingFile: file),
                WebhookBroadcaster(url: try #require(URL(string: "https://hook.test/w")), obfuscate: false),
                SegmentBroadcaster(
                    sendToSegment: true, obfuscate: false, apiHost: "https://hook.test/v1", isDebugBuild: true),
            ]
        }

        /// The screens that each of them has seen.
        var screens: [String: [String]] {
            var screens: [String: [String]] = [:]
            screens["own"] = own.screens
            screens["debug"] = debug.signals.compactMap { ($0 as? NavigationSignal)?.data.currentScreen }
            let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
            screens["recorder"] = lines.compactMap { try? JSON.parse(String($0))["data"]?["screen"]?.stringValue }
            let sent = hook.bodies.flatMap { $0.elements ?? $0["batch"]?.elements ?? [] }
            screens["webhook"] = sent.compactMap { $0["data"]?["screen"]?.stringValue }
            screens["segment"] = sent.compactMap { $0["properties"]?["data"]?["screen"]?.stringValue }
            return screens.filter { !$0.value.isEmpty }
        }

        static func all(_ screens: [String]) -> [String: [String]] {
            ["own": screens, "debug": screens, "recorder": screens, "webhook": screens, "segment": screens]
        }
    }

    /// A generator that tracks the signals that it gets.
    private let generator = """
        function processSignal(signal) {
            if (signal.type !== SignalType.Navigation) return
            const kept = signals.signalBuffer.filter((other) => other.type === SignalType.Navigation)
            analytics.track("Seen", { screen: signal.data.screen, kept: kept.length })
        }
        """

    private func world(
        _ everybody: Everybody, _ consent: ConsentState, bufferSize: Int = 1000
    ) throws -> SignalWorld {
        let broadcasters = try everybody.broadcasters()
        return SignalWorld(generator, hook: everybody.hook, consent: consent) { configuration in
            configuration.broadcasters = broadcasters
            configuration.relayCount = 1
            configuration.maximumBufferSize = bufferSize
        }
    }

    private func emit(_ screens: String..., in world: SignalWorld) {
        for screen in screens { world.signals.emit(NavigationSignal(action: .page, screen: screen)) }
    }

    private func seen(_ world: SignalWorld) async -> [String] {
        await world.events().filter { $0["event"] == "Seen" }.compactMap { $0["properties"]?["screen"]?.stringValue }
    }

    @Test("While consent is pending no receiver gets a signal; with consent all do")
    func pending() async throws {
        let everybody = try Everybody()
        let world = try world(everybody, .pending)
        emit("1", "2", in: world)
        await world.settled()
        #expect(everybody.screens.isEmpty)
        #expect(await seen(world).isEmpty)
        world.client.analytics.setConsent(.granted)
        await world.settled()
        #expect(everybody.screens == Everybody.all(["1", "2"]))
        #expect(await seen(world) == ["1", "2"])
    }

    @Test("When the decision is pending again, no receiver gets a signal until the user agrees again")
    func askedAgain() async throws {
        let everybody = try Everybody()
        let world = try world(everybody, .granted)
        emit("1", in: world)
        await world.settled()
        world.client.analytics.setConsent(.pending)
        emit("2", in: world)
        await world.settled()
        #expect(everybody.screens == Everybody.all(["1"]))
        world.client.analytics.setConsent(.granted)
        await world.settled()
        #expect(everybody.screens == Everybody.all(["1", "2"]))
        #expect(await seen(world) == ["1", "2"])
    }

    @Test("A refusal deletes the waiting signals", arguments: [true, false])
    func refused(isDecidedByConsent: Bool) async throws {
        let everybody = try Everybody()
        let world = try world(everybody, .pending)
        emit("1", in: world)
        await world.settled()
        if isDecidedByConsent {
            world.client.analytics.setConsent(.denied)
        } else {
            world.client.analytics.enabled = false
        }
        #expect(world.signals.waiting == 0)
        emit("2", in: world)
        #expect(world.signals.waiting == 0)
        await world.settled()
        world.client.analytics.enabled = true
        world.client.analytics.setConsent(.granted)
        emit("3", in: world)
        await world.settled()
        #expect(everybody.screens == Everybody.all(["3"]))
        #expect(await seen(world) == ["3"])
    }

    @Test("After a refusal no receiver gets a signal, and scripts find no earlier one")
    func withdrawn() async throws {
        let everybody = try Everybody()
        let world = try world(everybody, .granted)
        emit("1", in: world)
        await world.settled()
        world.client.analytics.setConsent(.denied)
        emit("2", in: world)
        world.client.analytics.track(name: "A")
        await world.settled()
        world.client.analytics.setConsent(.granted)
        emit("3", in: world)
        await world.settled()
        #expect(everybody.own.screens == ["1", "3"])
        #expect(everybody.screens["debug"] == ["3"])
        let events = await world.events()
        #expect(events.compactMap { $0["properties"]?["screen"] } == ["1", "3"])
        #expect(events.last?["properties"]?["kept"] == 1)
    }

    @Test("Settings that switch collection off stop signals, too")
    func switchedOff() async throws {
        let everybody = try Everybody()
        let world = try world(everybody, .granted)
        await world.settled()
        world.client.server.answerSettings(["integrations": [:], "collection": ["enabled": false]])
        await world.client.refreshed()
        emit("1", in: world)
        #expect(world.signals.waiting == 0)
        await world.signals.processed()
        #expect(everybody.screens.isEmpty)
        await world.client.ended()
    }

    @Test("Signals that wait for consent are bounded by the buffer")
    func bounded() async throws {
        let everybody = try Everybody()
        let world = try world(everybody, .pending, bufferSize: 3)
        emit("1", "2", "3", "4", "5", in: world)
        #expect(world.signals.waiting == 3)
        world.client.analytics.setConsent(.granted)
        await world.settled()
        #expect(everybody.screens == Everybody.all(["3", "4", "5"]))
    }

    @Test("A refusal deletes the signals that wait for a slow broadcaster")
    func slowBroadcaster() async throws {
        let slow = HeldBroadcaster()
        let world = SignalWorld { $0.broadcasters = [slow] }
        emit("1", "2", "3", in: world)
        await slow.begun()
        await withCheckedContinuation { done in world.signals.afterTurns { done.resume() } }
        world.client.analytics.setConsent(.denied)
        slow.release()
        await world.settled()
        #expect(slow.screens == ["1"])
        #expect(slow.forgets == 1)
    }

    @Test("Signals that a server refused are not sent after a refusal of consent or while it is pending")
    func unsent() async throws {
        let hook = HookServer(statuses: [503])
        let webhook = WebhookBroadcaster(url: try #require(URL(string: "https://hook.test/w")), obfuscate: false)
        let world = SignalWorld(hook: hook) { configuration in
            configuration.broadcasters = [webhook]
            configuration.relayCount = 1
        }
        emit("1", in: world)
        await world.settled()
        world.client.analytics.setConsent(.pending)
        await world.client.time.pass(60)
        await world.settled()
        #expect(hook.requests.count == 1)
        world.client.analytics.setConsent(.denied)
        await world.settled()
        world.client.analytics.setConsent(.granted)
        emit("2", in: world)
        await world.settled()
        let sent = hook.bodies.flatMap { $0.elements ?? [] }.compactMap { $0["data"]?["screen"]?.stringValue }
        #expect(sent == ["1", "2"])
    }

    @Test("A broadcaster accepts a signal that the app passes to it only with consent")
    func handed() async throws {
        let debug = DebugBroadcaster { _ in }
        let client = Client { $0.consent(.pending) }
        debug.analytics = client.analytics
        debug.added(signal: NavigationSignal(action: .page, screen: "1"))
        #expect(debug.signals.isEmpty)
        client.analytics.setConsent(.granted)
        debug.added(signal: NavigationSignal(action: .page, screen: "2"))
        #expect(debug.signals.count == 1)
    }

    @Test("Captures are off without consent")
    func captures() async {
        let world = SignalWorld(consent: .pending) { $0.useNetworkAutoSignal = true }
        await world.settled()
        #expect(world.signals.takes(.autoNetwork))
        world.client.analytics.setConsent(.denied)
        #expect(!world.signals.takes(.autoNetwork))
        #expect(!world.signals.takes(.manual))
    }
}

/// A broadcaster that takes one signal and waits until the test releases it.
private final class HeldBroadcaster: SignalBroadcaster, Sendable {
    private struct State {
        var screens: [String] = []
        var forgets = 0
    }

    private let state = LockBox(State())
    private let gate = DispatchSemaphore(value: 0)
    private let start: AsyncStream<Void>
    private let started: AsyncStream<Void>.Continuation

    init() { (start, started) = AsyncStream.makeStream() }

    var analytics: Analytics? {
        get { nil }
        set { _ = newValue }
    }
    var screens: [String] { state.withLock { $0.screens } }
    var forgets: Int { state.withLock { $0.forgets } }

    /// Waits until the broadcaster has the first signal.
    func begun() async { for await _ in start { return } }
    func release() { gate.signal() }

    func added(signal: any RawSignal) {
        state.withLock { $0.screens.append((signal as? NavigationSignal)?.data.currentScreen ?? "") }
        started.yield()
        gate.wait()
    }

    func relay() {}
    func forget() { state.withLock { $0.forgets += 1 } }
}
