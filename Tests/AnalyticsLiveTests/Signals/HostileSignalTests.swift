import Dispatch
import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A hostile body, and the part of it that broadcasters get.
struct HostileBody: Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    let bytes: [UInt8]
    /// The length in the server's header. When it is larger than the body, the end never comes.
    let length: Int
    /// `data.data` of the response's signal; nil for none.
    let seen: JSON?

    init(_ name: String, type: String = "application/json", _ bytes: [UInt8], length: Int? = nil, seen: JSON?) {
        self.name = name
        self.type = type
        self.bytes = bytes
        self.length = length ?? bytes.count
        self.seen = seen
    }

    var testDescription: String { name }
    var isEndless: Bool { length > bytes.count }

    private static let million = Array(repeating: UInt8(ascii: "x"), count: 1_000_000)
    private static let deep = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)

    static let all = [
        HostileBody("huge JSON", Array(#"{"a":""#.utf8) + million + Array(#""}"#.utf8), seen: nil),
        HostileBody("huge text", type: "text/plain", million, seen: nil),
        HostileBody("binary", type: "application/octet-stream", (0...255).map { UInt8($0) }, seen: nil),
        HostileBody("binary that says it is JSON", [0xFF, 0xFE, 0x00, 0x7B, 0x80], seen: nil),
        HostileBody("binary that says it is text", type: "text/plain", [0x41, 0x00, 0x42], seen: nil),
        HostileBody("cut off", Array(#"{"price":"#.utf8), seen: ["body": #"{"price":"#]),
        HostileBody("cut off with a secret", Array(#"{"password":"s3","#.utf8), seen: nil),
        HostileBody("two values", Array("{}{}".utf8), seen: ["body": "{}{}"]),
        HostileBody("no number", Array(#"{"a":NaN}"#.utf8), seen: ["body": #"{"a":NaN}"#]),
        HostileBody("brackets without end", Array(deep.utf8), seen: ["body": .string(deep)]),
        HostileBody("lone surrogate", Array(#"["\ud800"]"#.utf8), seen: ["content": ["\u{FFFD}"]]),
        HostileBody("nothing", [], seen: nil),
        HostileBody("endless", million, length: 1 << 40, seen: nil),
    ]
}

/// Everything hostile that signals meet: bodies, generators and broadcasters. Generators that loop or throw are in
/// `SignalGeneratorTests`.
@Suite("Hostile input to signals")
struct HostileSignalTests {
    // MARK: Bodies

    @Test("A hostile body reaches the app unchanged, and no broadcaster fails", arguments: HostileBody.all)
    func bodies(body: HostileBody) async throws {
        let server = try LoopbackServer(
            bytes: { _ in
                let head = "HTTP/1.1 200 OK\r\nContent-Type: \(body.type)\r\nContent-Length: \(body.length)\r\n"
                return Array((head + "Connection: close\r\n\r\n").utf8) + body.bytes
            })
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("session.ndjson")
        let hook = HookServer()
        let webhook = WebhookBroadcaster(url: try #require(URL(string: "https://hook.test/signals")))
        let debug = DebugBroadcaster { _ in }
        let world = SignalWorld(
            "function processSignal(signal) { if (signal.type === SignalType.Navigation) analytics.track('Healthy') }",
            hook: hook
        ) { configuration in
            configuration.useNetworkAutoSignal = true
            configuration.allowedNetworkHosts = ["127.0.0.1:\(server.port)"]
            configuration.broadcasters? += [webhook, debug, SessionRecorder(recordingFile: file)]
        }
        await world.settled()
        let session = URLSession(configuration: URLSessionConfiguration.ephemeral.capturingSignals())
        let request = URLRequest(url: try #require(server.url("/body")))
        let received = try? await session.data(for: request).0
        #expect(received == (body.isEndless ? nil : Data(body.bytes)))
        world.signals.emit(NavigationSignal(action: .page, screen: "after"))
        await world.settled()

        let told = world.collector.signals.map { $0["data"] }
        #expect(told.map { $0?["action"] } == ["request", "response", "page"])
        let response = try #require(told.dropFirst().first ?? nil)
        #expect(response["ok"]?.boolValue == !body.isEndless)
        if body.isEndless {
            #expect(response["data"]?["error"]?["code"]?.intValue != nil)
            #expect(response["data"]?["content"] == nil && response["data"]?["body"] == nil)
        } else {
            #expect(response["data"] == body.seen)
        }
        #expect(debug.signals.count == 3)
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(try recorded.map { try JSON.parse(String($0)) }.count == 3)
        world.signals.flush()
        #expect(await world.events().compactMap { $0["event"]?.stringValue } == ["Healthy"])
        #expect(hook.bodies.first?.elements?.count == 3, "the webhook's own request is JSON")
        #expect(world.client.diagnostics.all(.signals).isEmpty)
    }

    @Test("The hostile body of a request harms neither app nor broadcasters", arguments: HostileBody.all)
    func requestBodies(body: HostileBody) throws {
        var request = URLRequest(url: try #require(URL(string: "https://shop.example/up")))
        request.httpMethod = "POST"
        request.httpBody = Data(body.bytes)
        request.setValue(body.type, forHTTPHeaderField: "Content-Type")
        let exchange = NetworkExchange(request, body: nil, id: "1", reader: BodyReader())
        let record = try SignalRecord(NetworkSignal(data: exchange.request))
        #expect(record.json["data"]?["data"] == body.seen)
        #expect(try JSON.parse(record.text) == record.json)
    }

    @Test("An endless body is not kept in memory")
    func endlessBody() throws {
        let request = URLRequest(url: try #require(URL(string: "https://shop.example/stream")))
        var exchange = NetworkExchange(request, body: nil, id: "1", reader: BodyReader())
        let piece = Data(repeating: UInt8(ascii: "x"), count: 64 * 1024)
        for _ in 0..<20_000 { exchange.take(piece) }
        let (first, second) = (exchange.end(), exchange.end())
        #expect(first?.action == .response)
        #expect(first?.data == nil)
        #expect(second == nil, "the end is told once")
    }

    @Test("When an app's deserializer returns values without a JSON form, only that body is lost")
    func wrongReader() {
        var reader = BodyReader()
        reader.add({ _ in ["at": Date(timeIntervalSince1970: 0), "no": Double.nan, "what": NSObject()] }, for: "x/own")
        #expect(reader.read(Data([1]), contentType: "x/own") == nil)
        #expect(reader.read(Data("{}".utf8), contentType: "application/json") == ["content": [:]])
    }

    // MARK: Generators

    @Test("A generator that emits signals without end is stopped, and the app's own signals go on")
    func endlessSignals() async {
        let world = SignalWorld(
            """
            function processSignal(signal) {
                for (let n = 0; n < 5000; n++) signals.add(new RawSignal(SignalType.UserDefined, { n }))
                analytics.track(signal.data.screen, { kept: signals.signalBuffer.length })
            }
            """, livePlugins: LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(eventSeconds: 60))
        ) { $0.maximumBufferSize = 100 }
        for name in ["1", "2"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        let events = await world.events()
        #expect(events.compactMap { $0["event"]?.stringValue } == ["1", "2"])
        #expect(events.allSatisfy { $0["properties"]?["kept"] == 100 }, "the buffer keeps its size")
        #expect(world.collector.signals.count == 2, "what a script adds is for scripts")
    }

    @Test("A signal's event that is larger than a server accepts is refused")
    func hugeEvents() async {
        let world = SignalWorld(
            """
            function processSignal(signal) {
                if (signal.data.screen === "bad") analytics.track("Huge", { text: "x".repeat(1e6) })
                analytics.track(signal.data.screen)
            }
            """)
        for name in ["1", "bad", "2"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        let names = await world.events().compactMap { $0["event"]?.stringValue }
        #expect(names.contains("1") && names.contains("2") && !names.contains("Huge"))
    }

    // MARK: Broadcasters

    @Test("A broadcaster that hangs in relay blocks neither signals nor a flush")
    func hangingRelay() async {
        let stuck = StuckRelay()
        let world = SignalWorld("function processSignal(signal) { analytics.track(signal.data.screen) }") {
            $0.broadcasters = [stuck]
            $0.relayCount = 1
        }
        for name in ["1", "2", "3"] { world.signals.emit(NavigationSignal(action: .page, screen: name)) }
        await world.client.processed()
        await withCheckedContinuation { done in world.signals.afterTurns { done.resume() } }
        await stuck.isStuck()
        await world.client.flushed()
        #expect(world.client.server.names == ["1", "2", "3"])
        stuck.release()
        await world.settled()
        #expect(stuck.seen == 3, "what came meanwhile follows")
    }

    @Test("A client can end while a broadcaster hangs", .timeLimit(.minutes(30)))
    func hangingAtTheEnd() async {
        let stuck = StuckRelay()
        let world = SignalWorld {
            $0.broadcasters = [stuck]
            $0.relayCount = 1
        }
        world.signals.emit(NavigationSignal(action: .page, screen: "1"))
        await world.client.processed()
        await stuck.isStuck()
        await world.client.ended()
        stuck.release()
    }

    @Test("A failing webhook keeps the newest thousand signals in order and reports the loss once")
    func failingWebhook() async throws {
        let hook = HookServer(statuses: [500, 500])
        let webhook = WebhookBroadcaster(
            url: try #require(URL(string: "https://hook.test/signals")), obfuscate: false, isDebugBuild: true)
        let world = SignalWorld(hook: hook) { configuration in
            configuration.broadcasters? += [webhook]
            configuration.relayCount = 1
        }
        await world.settled()
        for batch in 0..<15 {
            let numbers = (batch * 100)..<(batch * 100 + 100)
            for number in numbers { world.signals.emit(NavigationSignal(action: .page, screen: "\(number)")) }
            await world.settled()
        }
        #expect(world.collector.signals.count == 1500)
        #expect(hook.requests.count <= 2, "it waits before it tries again, longer each time")
        let told = world.client.diagnostics.all(.signals).map(\.message)
        #expect(told.filter { $0.contains("does not keep up") }.count == 1, "\(told)")
        // A pause begins on a thread of the hook, so a test cannot ask whether it has begun.
        var tries = 0
        while hook.requests.count < 2 + 1000 / SignalLimits.batchSignals, tries < 1000 {
            await world.client.time.pass(10)
            await world.settled()
            tries += 1
        }
        let arrived = hook.bodies.dropFirst(2).flatMap { $0.elements ?? [] }
        #expect(arrived.compactMap { $0["data"]?["screen"]?.stringValue } == (500..<1500).map(String.init))
    }
}

/// A broadcaster that does not return from its first relay until the test releases it.
private final class StuckRelay: SignalBroadcaster, Sendable {
    private struct State {
        var seen = 0
        var isStuck = false
        var isOpen = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = LockBox(State())
    private let gate = DispatchSemaphore(value: 0)
    var analytics: Analytics? {
        get { nil }
        set {}
    }
    var seen: Int { state.withLock { $0.seen } }

    func added(signal: any RawSignal) { state.withLock { $0.seen += 1 } }

    func relay() {
        let (isOpen, waiting) = state.withLock { state in
            defer {
                state.isStuck = true
                state.waiting = nil
            }
            return (state.isOpen || state.isStuck, state.waiting)
        }
        waiting?.resume()
        if !isOpen { gate.wait() }
    }

    /// The broadcaster hangs in its relay.
    func isStuck() async {
        await withCheckedContinuation { done in
            let isStuck = state.withLock { state in
                if !state.isStuck { state.waiting = done }
                return state.isStuck
            }
            if isStuck { done.resume() }
        }
    }

    func release() {
        state.withLock { $0.isOpen = true }
        gate.signal()
    }
}
