import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Waiting events of an app in the background")
struct CopyTests {
    /// Keeps what it was given, as the system would until there is a network.
    private final class Keeper: CopySender {
        private let kept = LockBox<(request: TransportRequest?, cancelled: Int)>((nil, 0))

        func take(_ request: TransportRequest) { kept.withLock { $0.request = request } }
        func cancel() {
            kept.withLock { $0 = (nil, $0.cancelled + 1) }
        }
        func close() {}

        var request: TransportRequest? { kept.withLock { $0.request } }
        var events: [JSON] {
            guard let body = request?.body, let json = try? JSON.parse(body), case .array(let events)? = json["batch"]
            else { return [] }
            return Array(events)
        }
    }

    private let keeper = Keeper()
    /// Goes on when the app has done its work in the background.
    private let left = LockBox<CheckedContinuation<Void, Never>?>(nil)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func client(_ answer: TestServer.Answer, isOn: Bool = true) async -> (Client, Lifecycle) {
        let server = TestServer()
        server.answerBatches { _ in answer }
        let client = Client(server: server, folder: folder.url) {
            $0.uploadsInBackground(isOn).copySender(keeper).setTrackedApplicationLifecycleEvents(.none)
        }
        let lifecycle = Lifecycle(tracked: .none, application: ApplicationVersion(version: "1.0", build: "1")) { work in
            work { [left] in left.withLock { $0.take() }?.resume() }
        }
        client.analytics.add(plugin: lifecycle)
        lifecycle.take(.launched())
        client.analytics.track(name: "A")
        client.analytics.track(name: "B")
        await client.processed()
        return (client, lifecycle)
    }

    /// The app goes to the background, and what it does in the time that the system grants is done.
    private func leave(_ lifecycle: Lifecycle) async {
        await withCheckedContinuation { done in
            left.withLock { $0 = done }
            lifecycle.take(.enteredBackground)
        }
    }

    @Test("Two clients with one write key and different folders have different names; a moved home changes none")
    func names() throws {
        let home = "/var/mobile/Containers/Data/Application/A"
        func name(_ path: String, home: String = home) -> String {
            BackgroundName.name(of: URL(fileURLWithPath: path, isDirectory: true), home: home)
        }
        let usual = name(home + "/Library/Application Support/tributary/KEY")
        #expect(usual.hasPrefix("KEY."))
        #expect(usual != name(home + "/Library/Application Support/second/tributary/KEY"))
        #expect(usual != name(home + "/Library/Application Support/tributary/OTHER"))
        let moved = "/var/mobile/Containers/Data/Application/B"
        #expect(usual == name(moved + "/Library/Application Support/tributary/KEY", home: moved))
        #expect(usual == name("/private" + home + "/Library/Application Support/tributary/KEY"))
        let groups = ["G", "H"].map { name("/var/mobile/Containers/Shared/AppGroup/\($0)/tributary/KEY") }
        #expect(Set(groups).count == 2)
    }

    @Test("The system gets a copy of the events, and the client sends the same events later")
    func copied() async throws {
        let (client, lifecycle) = await client(.failure(TransportError("no network")))
        await leave(lifecycle)
        #expect(keeper.events.map { $0["event"]?.stringValue } == ["A", "B"])
        #expect(keeper.request?.url.absoluteString == "http://server.test/v1/b")
        #expect(keeper.request?.headers["Authorization"] != nil)
        let ids = keeper.events.map { $0["messageId"] }
        lifecycle.take(.enteringForeground)
        #expect(keeper.request == nil)
        client.server.answerBatches(nil)
        client.time.advance(by: 3600)
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.suffix(2).map { $0["messageId"] } == ids)
        await client.ended()
    }

    @Test("A server that refuses events, or asks for a pause, gets no copy of the events", arguments: [429, 503, 401])
    func paused(status: Int) async {
        let (client, lifecycle) = await client(.success(TransportResponse(status: status)))
        await leave(lifecycle)
        #expect(keeper.request == nil)
        await client.ended()
    }

    @Test("Without the option, or without waiting events, the system gets no copy")
    func none() async {
        let (silent, silentLifecycle) = await client(.failure(TransportError("no network")), isOn: false)
        await leave(silentLifecycle)
        #expect(keeper.request == nil)
        await silent.ended()
        let (sending, lifecycle) = await client(.success(TransportResponse(status: 200)))
        await leave(lifecycle)
        #expect(keeper.request == nil)
        await sending.ended()
    }

    @Test("Opening the app cancels the copy, and purged events are not copied")
    func purged() async {
        let (client, lifecycle) = await client(.failure(TransportError("no network")))
        await leave(lifecycle)
        #expect(keeper.events.count == 2)
        lifecycle.take(.enteringForeground)
        #expect(keeper.request == nil)
        await withCheckedContinuation { done in client.analytics.purgeStorage { done.resume() } }
        await leave(lifecycle)
        #expect(keeper.request == nil)
        await client.ended()
    }

    @Test("The copy is taken back when an app in the background purges its events")
    func purgedInBackground() async {
        let (client, lifecycle) = await client(.failure(TransportError("no network")))
        await leave(lifecycle)
        #expect(keeper.events.count == 2)
        client.analytics.purgeStorage()
        #expect(keeper.request == nil)
        await client.ended()
    }

    @Test(
        "The copy is taken back when an app in the background switches collection off",
        arguments: ["refusal", "switched off"])
    func refusedInBackground(by way: String) async {
        let (client, lifecycle) = await client(.failure(TransportError("no network")))
        await leave(lifecycle)
        #expect(keeper.events.count == 2)
        if way == "refusal" { client.analytics.setConsent(.denied) } else { client.analytics.enabled = false }
        #expect(keeper.request == nil)
        await client.ended()
    }

    @Test("A start in the background takes back the copy of an earlier process when the user has refused")
    func refusedBefore() async {
        let (client, lifecycle) = await client(.failure(TransportError("no network")))
        await leave(lifecycle)
        let left = keeper.request
        client.analytics.setConsent(.denied)
        await client.ended()
        // The process ended between the decision and the withdrawal of the copy.
        if let left { keeper.take(left) }
        let next = Client(folder: folder.url) {
            $0.uploadsInBackground(true).copySender(keeper).setTrackedApplicationLifecycleEvents(.none)
        }
        let background = Lifecycle(tracked: .none, application: ApplicationVersion(version: "1.0", build: "1"))
        next.analytics.add(plugin: background)
        background.take(.launched(isInBackground: true))
        await next.processed()
        #expect(keeper.request == nil)
        await next.ended()
    }

    @Test("A purge while the app goes to the background leaves no copy")
    func purgedOnTheWay() async {
        let (client, lifecycle) = await client(.failure(TransportError("no network")))
        client.server.answerBatches { _ in
            client.analytics.purgeStorage()
            return .failure(TransportError("no network"))
        }
        await leave(lifecycle)
        #expect(keeper.request == nil)
        await client.ended()
    }
}
