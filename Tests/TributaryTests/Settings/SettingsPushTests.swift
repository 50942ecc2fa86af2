import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Settings that arrive at once") struct SettingsPushTests {
    /// A server that holds requests, with settings of that version.
    private static func server(_ version: Int = 1, seconds: Int? = 40) -> TestServer {
        let server = TestServer()
        server.holdSettings()
        server.answerSettings(answer(version, seconds: seconds))
        return server
    }

    private static func answer(_ version: Int, seconds: Int? = 40, tag: String? = nil) -> TestServer.Answer {
        var json: JSON = ["integrations": [:], "edgeFunction": ["version": .number(JSONNumber(version))]]
        if let seconds { json["settingsPush"] = ["seconds": .number(JSONNumber(seconds))] }
        let tag = tag ?? "\"v\(version)\""
        let headers = tag.isEmpty ? [:] : ["ETag": tag]
        return .success(TransportResponse(status: 200, headers: headers, body: json.encoded()))
    }

    private static let unchanged = TestServer.Answer.success(TransportResponse(status: 304))

    private func client(_ server: TestServer, configure: (Configuration) -> Void = { _ in }) -> Client {
        Client(server: server) { configuration in
            configuration.settingsPush(true)
                .identifiers(Identifiers(random: { 0.5 }))
            configure(configuration)
        }
    }

    private func version(_ client: Client) -> Int? { client.analytics.settings()?.edgeFunction?["version"]?.intValue }

    /// What the client has to do with settings so far is done.
    private func settled(_ client: Client) async {
        await withCheckedContinuation { done in client.analytics.settingsLoader.perform { done.resume() } }
        await client.executed()
    }

    @Test("A change arrives with the held request, and the next one is held with its tag")
    func change() async {
        let client = client(Self.server())
        await client.processed()
        await client.server.requests(2)
        let held = client.server.heldRequests.last
        #expect(held?.url.absoluteString == "http://server.test/v1/projects/KEY/settings?wait=40")
        #expect(held?.headers["If-None-Match"] == "\"v1\"")
        #expect(held?.deadline == 55)
        await client.time.pass(30)
        client.server.answerHeld(Self.answer(2))
        await client.time.scheduled(in: 0.5)
        await settled(client)
        #expect(version(client) == 2)
        client.time.advance(by: 0.5)
        await client.server.requests(3)
        #expect(client.server.heldRequests.last?.headers["If-None-Match"] == "\"v2\"")
        #expect(client.server.settingsRequests.count == 3)
    }

    @Test("While a request is held, the client does not ask at its interval, and after it the interval counts again")
    func interval() async {
        let client = client(Self.server()) { $0.settingsInterval(60) }
        await client.processed()
        await client.server.requests(2)
        await client.time.pass(50)
        client.server.answerHeld(Self.unchanged)
        await client.server.requests(3)
        // The server is full: it answers at once, so the client asks at its interval and tries later to have a request held.
        client.server.answerHeld(Self.unchanged)
        await client.time.scheduled(in: 5)
        await client.time.scheduled(in: 60)
        #expect(client.server.settingsRequests.count == 3)
    }

    @Test("An answer that comes at once is not asked for in a loop")
    func early() async {
        let client = client(Self.server()) { $0.settingsInterval(0) }
        await client.processed()
        var asked = 2
        for pause in [5.0, 10, 20, 40, 80, 160, 300, 300] {
            await client.server.requests(asked)
            client.server.answerHeld(asked % 2 == 0 ? Self.unchanged : Self.answer(1))
            await client.time.scheduled(in: pause)
            client.time.advance(by: pause)
            asked += 1
        }
        await client.server.requests(asked)
    }

    @Test("A request without an answer ends with its deadline, and failures make longer and longer pauses")
    func failing() async {
        let client = client(Self.server()) { $0.settingsInterval(0) }
        await client.processed()
        await client.server.requests(2)
        client.time.advance(by: 56)
        await client.time.scheduled(in: 5)
        await client.reported(.settings, count: 1)
        client.time.advance(by: 5)
        await client.server.requests(3)
        client.server.answerHeld(.success(TransportResponse(status: 504)))
        await client.time.scheduled(in: 10)
        #expect(version(client) == 1)
    }

    @Test("Settings that are fetched meanwhile win over the answer of a held request that began before")
    func refreshing() async {
        let client = client(Self.server())
        await client.processed()
        await client.server.requests(2)
        client.server.answerSettings(Self.answer(3))
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        #expect(client.server.heldRequests.count == 1)
        client.server.answerHeld(Self.answer(2))
        await client.time.scheduled(in: 5)
        await settled(client)
        #expect(version(client) == 3)
        client.time.advance(by: 5)
        await client.server.requests(4)
        #expect(client.server.heldRequests.last?.headers["If-None-Match"] == "\"v3\"")
    }

    @Test("No request is held without the option, before a server says that it holds any, and without a tag")
    func never() async {
        let off = Client(server: Self.server())
        await off.processed()
        let other = client(Self.server(seconds: nil))
        await other.processed()
        let server = Self.server()
        server.answerSettings(Self.answer(1, tag: ""))
        let untagged = client(server)
        await untagged.processed()
        for client in [off, other, untagged] {
            await settled(client)
            #expect(client.server.heldRequests.isEmpty)
            #expect(client.server.settingsRequests.count == 1)
        }
    }

    @Test("In the background no request is held, and in the foreground there is one at once")
    func background() async {
        let client = client(Self.server()) { $0.settingsInterval(100) }
        let lifecycle = Lifecycle(tracked: .none)
        client.analytics.add(plugin: lifecycle)
        await client.processed()
        await client.server.requests(2)
        lifecycle.take(.enteredBackground)
        client.server.answerHeld(.failure(TransportError("the system ended the connection")))
        await client.time.scheduled(in: 5)
        client.time.advance(by: 5)
        await settled(client)
        #expect(client.server.heldRequests.count == 1)
        #expect(client.diagnostics.all(.settings).isEmpty)
        lifecycle.take(.becameActive)
        await client.server.requests(3)
        #expect(client.server.heldRequests.count == 2)
        // A step that comes twice makes no second request.
        lifecycle.take(.enteringForeground)
        await client.server.requests(4)
        await settled(client)
        #expect(client.server.heldRequests.count == 2)
    }

    @Test("No request is held before the user's consent, after a refusal, and while uploads must wait")
    func permission() async {
        let client = client(Self.server()) { $0.settingsInterval(100).consent(.pending) }
        await client.processed()
        await settled(client)
        #expect(client.server.heldRequests.isEmpty)
        client.analytics.setConsent(.granted)
        await client.processed()
        client.time.advance(by: 100)
        await client.server.requests(3)
        #expect(client.server.heldRequests.count == 1)
        client.analytics.setConsent(.denied)
        await client.time.pass(30)
        client.server.answerHeld(Self.unchanged)
        await client.time.scheduled(in: 100)
        await settled(client)
        #expect(client.server.heldRequests.count == 1)
    }

    @Test("A client that has ended holds no request any more, and its last answer changes nothing")
    func ending() async {
        let client = client(Self.server())
        await client.processed()
        await client.server.requests(2)
        await client.ended()
        client.server.answerHeld(Self.answer(2))
        await client.time.pass(600)
        #expect(client.server.settingsRequests.count == 2)
    }

    @Test("A held request holds up no delivery")
    func delivery() async {
        let client = client(Self.server())
        await client.processed()
        await client.server.requests(2)
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
    }

    @Test("A report says that changes arrive within seconds, once the server has held a request")
    func report() async {
        let server = TestServer()
        server.holdSettings()
        func answer(_ stop: Int) -> TestServer.Answer {
            let json: JSON = [
                "integrations": [:], "settingsPush": ["seconds": 40], "healthReports": ["sampleRate": 1],
                "stopNumber": .number(JSONNumber(stop)),
            ]
            return .success(TransportResponse(status: 200, headers: ["ETag": "\"\(stop)\""], body: json.encoded()))
        }
        server.answerSettings(answer(1))
        let client = client(server) { $0.settingsInterval(120) }
        await client.processed()
        await server.requests(3)
        #expect(server.healthReports.map { $0["settings"]?["interval"] } == [120])
        await client.time.pass(30)
        server.answerHeld(answer(2))
        await server.requests(4)
        #expect(
            server.healthReports.map { $0["settings"] } == [["stop": 1, "interval": 120], ["stop": 2, "interval": 5]])
    }
}
