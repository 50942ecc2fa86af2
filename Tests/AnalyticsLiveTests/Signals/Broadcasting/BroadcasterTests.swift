import Dispatch
import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

/// The receivers of signals, and the form that each gets.
@Suite struct BroadcasterTests {
    private let typed = InteractionSignal(component: "TextField", title: "Card of Zoë", data: ["value": "4111-22"])

    private func address() throws -> URL { try #require(URL(string: "https://hook.test/signals")) }

    @Test("A typed broadcaster gets signals of their own types")
    func typedSignals() async {
        let broadcaster = TypedCollector()
        let world = SignalWorld { $0.broadcasters = [broadcaster] }
        world.signals.emit(typed)
        world.client.analytics.track(name: "A")
        await world.settled()
        #expect(broadcaster.components == ["TextField"])
        #expect(broadcaster.count == 2)
    }

    @Test("A webhook gets batches of obfuscated signals")
    func webhook() async throws {
        let hook = HookServer()
        let webhook = WebhookBroadcaster(url: try address())
        let world = SignalWorld(hook: hook) { configuration in
            configuration.broadcasters = [webhook]
            configuration.relayCount = 2
        }
        world.signals.emit(typed)
        world.signals.emit(typed)
        await world.settled()
        #expect(hook.requests.map(\.method) == ["POST"])
        #expect(hook.requests.first?.headers["Content-Type"] == "application/json")
        let batch = hook.bodies.first?.elements
        #expect(batch?.count == 2)
        #expect(
            batch?.first?["data"]?.description
                == #"{"component":"TextField","title":"XXXX XX XXX","info":"XXXX XX XXX","data":{"value":"9999-99"}}"#)
    }

    @Test("A webhook of a release build always obfuscates signals")
    func releaseWebhook() async throws {
        let hook = HookServer()
        let webhook = WebhookBroadcaster(url: try address(), obfuscate: false, isDebugBuild: false)
        let world = SignalWorld(hook: hook) { configuration in
            configuration.broadcasters = [webhook]
            configuration.relayCount = 1
        }
        world.signals.emit(typed)
        world.signals.emit(SignalModelTests.MyKindaSignal(that: "Zoë 1"))
        await world.settled()
        let data = hook.bodies.flatMap { $0.elements ?? [] }.map { $0["data"] }
        #expect(data.first??["title"] == "XXXX XX XXX")
        #expect(data.last??["that"] == "XXX 9")
    }

    @Test("A loss of signals is reported once while a batch is under way")
    func loss() async throws {
        let hook = HookServer()
        hook.silence()
        let world = SignalWorld(hook: hook)
        await world.settled()
        let url = try address()
        let sender = SignalSender(name: "Hook") { _, _ in TransportRequest(method: "POST", url: url) }
        sender.analytics = world.client.analytics
        for _ in 0...SignalLimits.waitingToBeSent { sender.add(["type": "navigation"]) }
        sender.send()
        for _ in 0..<10 { sender.add(["type": "navigation"]) }
        await world.settled()
        #expect(hook.requests.count == 1)
        let told = world.client.diagnostics.all(.signals).map(\.message)
        #expect(told.filter { $0.contains("does not keep up") }.count == 1, "\(told)")
    }

    @Test("A webhook repeats a failed batch later and keeps the order of signals")
    func retries() async throws {
        let hook = HookServer(statuses: [503, 500])
        let webhook = WebhookBroadcaster(url: try address(), obfuscate: false, isDebugBuild: true)
        let world = SignalWorld(hook: hook) { configuration in
            configuration.broadcasters = [webhook]
            configuration.relayCount = 1
        }
        for name in ["1", "2"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        await world.settled()
        #expect(hook.requests.count == 1)
        for pause in (0..<2).map(SignalLimits.pauses.pause) {
            await world.client.time.pass(pause)
            await world.settled()
        }
        let screens = hook.bodies.last?.elements?.compactMap { $0["data"]?["screen"]?.stringValue }
        #expect(hook.requests.count == 3)
        #expect(screens == ["1", "2"])
    }

    @Test("A refused batch is given up and reported")
    func refusedBatch() async throws {
        let hook = HookServer(statuses: [422])
        let world = SignalWorld(hook: hook) { [url = try address()] configuration in
            configuration.broadcasters = [WebhookBroadcaster(url: url)]
            configuration.relayCount = 1
        }
        world.signals.emit(typed)
        await world.settled()
        world.signals.emit(NavigationSignal(action: .page, screen: "2"))
        await world.settled()
        #expect(hook.bodies.map { $0.elements?.count } == [1, 1])
        #expect(world.client.diagnostics.all(.signals).contains { $0.message.contains("422") })
    }

    @Test("The host of a webhook makes no network signals")
    func webhookHost() throws {
        let config = SignalsConfiguration(writeKey: "KEY", broadcasters: [WebhookBroadcaster(url: try address())])
        #expect(config.blockedNetworkHosts.contains("hook.test"))
    }

    // MARK: Segment

    /// The batches and addresses that arrive from a debug or a release build.
    private func sent(
        isDebugBuild: Bool, _ change: (inout SignalsConfiguration) -> Void = { _ in }
    ) async -> (batches: [JSON], urls: [String]) {
        let hook = HookServer()
        let broadcaster = SegmentBroadcaster(isDebugBuild: isDebugBuild)
        let world = SignalWorld(hook: hook) { configuration in
            configuration.broadcasters = [broadcaster]
            configuration.relayCount = 1
            configuration.apiHost = "hook.test/v1"
            change(&configuration)
        }
        world.signals.emit(typed)
        await world.settled()
        return (hook.bodies, hook.requests.map(\.url.absoluteString))
    }

    @Test("A debug build sends obfuscated signals as events to Segment")
    func debugBuild() async {
        let (batches, urls) = await sent(isDebugBuild: true)
        #expect(urls == ["https://hook.test/v1/b"])
        #expect(batches.first?["writeKey"] == "KEY")
        let event = batches.first?["batch"]?[0]
        #expect(event?["type"] == "track")
        #expect(event?["event"] == "Segment Signal Generated")
        #expect(event?["messageId"]?.stringValue?.isEmpty == false)
        #expect(event?["properties"]?["type"] == "interaction")
        #expect(event?["properties"]?["data"]?["title"] == "XXXX XX XXX")
    }

    @Test("A debug build may send signals without obfuscation")
    func plainDebugBuild() async {
        let (batches, _) = await sent(isDebugBuild: true) { $0.obfuscateDebugSignals = false }
        #expect(batches.first?["batch"]?[0]?["properties"]?["data"]?["title"] == "Card of Zoë")
    }

    @Test("A release build sends signals only when it is configured, and obfuscates them")
    func releaseBuild() async {
        #expect(await sent(isDebugBuild: false).batches.isEmpty)
        let (batches, _) = await sent(isDebugBuild: false) { configuration in
            configuration.sendDebugSignalsToSegment = true
            configuration.obfuscateDebugSignals = false
        }
        #expect(batches.first?["batch"]?[0]?["properties"]?["data"]?["title"] == "XXXX XX XXX")
    }

    @Test("Settings of the workspace switch the traffic of signals off")
    func trafficOff() async {
        let hook = HookServer()
        let world = SignalWorld(autoInstrumentation: ["disableTraffic": true], hook: hook) { configuration in
            configuration.broadcasters = [SegmentBroadcaster(isDebugBuild: true)]
            configuration.relayCount = 1
            configuration.apiHost = "hook.test/v1"
        }
        world.signals.emit(typed)
        await world.settled()
        #expect(hook.requests.isEmpty)
    }

    @Test("A client that is switched off sends no signals")
    func switchedOff() async throws {
        let hook = HookServer()
        let world = SignalWorld(hook: hook) { [url = try address()] configuration in
            configuration.broadcasters = [WebhookBroadcaster(url: url)]
            configuration.relayCount = 1
        }
        world.client.analytics.enabled = false
        world.signals.emit(typed)
        await world.settled()
        #expect(hook.requests.isEmpty)
    }

    @Test("The Segment broadcaster sends to the client's own server by default")
    func ownServer() async {
        let world = SignalWorld { configuration in
            configuration.broadcasters = [SegmentBroadcaster(isDebugBuild: true)]
            configuration.relayCount = 1
        }
        world.signals.emit(typed)
        await world.settled()
        #expect(world.client.server.hosts == ["server.test"])
        #expect(world.client.server.names == ["Segment Signal Generated"])
    }

    // MARK: Debug and recorder

    @Test("The debug broadcaster prints signals and keeps them")
    func debugBroadcaster() async {
        let lines = LockBox<[String]>([])
        let debug = DebugBroadcaster { line in lines.withLock { $0.append(line) } }
        let world = SignalWorld { $0.broadcasters = [debug] }
        world.signals.emit(typed)
        await world.settled()
        #expect(lines.withLock { $0.count } == 1)
        #expect(lines.withLock { $0.first?.contains("Card of Zoë") } == true)
        #expect(debug.last is InteractionSignal)
        #expect(debug.signals.count == 1)
    }

    @Test("A recorded session has one signal on each line, in a private file")
    func recording() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("session.ndjson")
        let world = SignalWorld { $0.broadcasters = [SessionRecorder(recordingFile: file)] }
        for name in ["1", "2"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        await world.settled()
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSON.parse(String($0))
        }
        #expect(lines.compactMap { $0["data"]?["screen"]?.stringValue } == ["1", "2"])
        #expect(lines.compactMap { $0["index"]?.intValue } == [0, 1])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test("A recording that is full or cannot be written is reported")
    func endedRecording() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("session.ndjson")
        let small = SessionRecorder(recordingFile: file, limit: 300)
        let lost = SessionRecorder(recordingFile: folder.url.appendingPathComponent("no/such/folder"))
        let world = SignalWorld { $0.broadcasters = [small, lost] }
        for name in 0..<5 { world.signals.emit(NavigationSignal(action: .page, screen: "\(name)")) }
        await world.settled()
        #expect(try Data(contentsOf: file).count <= 300)
        let problems = world.client.diagnostics.all(.signals).filter { $0.plugin == "SessionRecorder" }
        #expect(problems.count == 2)
    }

    @Test(
        "A recording whose file or folder was deleted begins again and says so; one whose folder is a file ends",
        arguments: ["session.ndjson", ""])
    func deletedRecording(path: String) async throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("sessions")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = place.appendingPathComponent("session.ndjson")
        let world = SignalWorld { $0.broadcasters = [SessionRecorder(recordingFile: file)] }
        func emit(_ name: String) async {
            world.signals.emit(NavigationSignal(action: .page, screen: name))
            await world.settled()
        }
        func problems() -> [String] {
            world.client.diagnostics.all(.signals).filter { $0.plugin == "SessionRecorder" }.map(\.message)
        }
        await emit("1")
        try FileManager.default.removeItem(at: path.isEmpty ? place : place.appendingPathComponent(path))
        await emit("2")
        await emit("3")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(try lines.map { try JSON.parse(String($0))["data"]?["screen"] } == ["2", "3"])
        #expect(problems().count == 1)
        #expect(problems().first?.contains("somebody deleted the recording after") == true)
        try FileManager.default.removeItem(at: place)
        try Data().write(to: place)
        await emit("4")
        await emit("5")
        #expect(problems().last?.contains("the recording ends after") == true)
        #expect(problems().count == 3)
    }

    // MARK: Broadcasters that are wrong

    @Test("A broadcaster that hangs delays no other one, and loses the signals that do not fit")
    func stuckBroadcaster() async {
        let stuck = StuckBroadcaster()
        let world = SignalWorld { $0.broadcasters?.append(stuck) }
        for batch in 0..<6 {
            for number in 0..<300 { world.signals.emit(NavigationSignal(action: .page, screen: "\(batch) \(number)")) }
            // Waits for the work behind the executor's turn, because the stuck broadcaster cannot be waited for.
            await world.client.processed()
            await withCheckedContinuation { done in world.signals.afterTurns { done.resume() } }
        }
        await world.client.reported(text: "StuckBroadcaster is too slow")
        #expect(stuck.waiting <= 1)
        stuck.release()
        await world.settled()
        #expect(world.collector.signals.count == 1800)
        #expect(stuck.seen < 1100 && stuck.seen >= 900)
    }
}

/// Keeps the typed signals that it gets.
private final class TypedCollector: SignalBroadcaster, Sendable {
    private let state = LockBox((components: [String](), count: 0))
    var analytics: Analytics? {
        get { nil }
        set {}
    }
    var components: [String] { state.withLock { $0.components } }
    var count: Int { state.withLock { $0.count } }

    func added(signal: any RawSignal) {
        state.withLock { state in
            state.count += 1
            if let interaction = signal as? InteractionSignal { state.components.append(interaction.data.component) }
        }
    }

    func relay() {}
}

/// A broadcaster that does not return from its first signal until the test releases it.
private final class StuckBroadcaster: SignalBroadcaster, Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let state = LockBox((isOpen: false, waiting: 0, seen: 0))
    var analytics: Analytics? {
        get { nil }
        set {}
    }
    var waiting: Int { state.withLock { $0.waiting } }
    var seen: Int { state.withLock { $0.seen } }

    func added(signal: any RawSignal) {
        let isOpen = state.withLock { state in
            state.seen += 1
            if !state.isOpen { state.waiting += 1 }
            return state.isOpen
        }
        if !isOpen { gate.wait() }
    }

    func relay() {}

    func release() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for _ in 0..<waiting { gate.signal() }
    }
}
