import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Requests that an app changes")
struct RequestTests {
    @Test("A request factory adds header fields and sends to another address, for settings and batches")
    func factory() async {
        let client = Client { configuration in
            configuration.requestFactory { request in
                var request = request
                request.setValue("secret", forHTTPHeaderField: "X-Gate")
                request.url = request.url.flatMap { url in
                    URL(string: url.absoluteString.replacingOccurrences(of: "server.test", with: "proxy.test"))
                }
                return request
            }
        }
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        for request in client.server.settingsRequests + client.server.batches {
            #expect(request.headers["X-Gate"] == "secret")
            #expect(request.url.host == "proxy.test")
        }
        #expect(client.server.batches.first?.headers["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(client.server.settingsRequests.count == 1)
        await client.ended()
    }

    @Test("A request factory that breaks requests delays delivery and loses no event")
    func spoiled() async {
        let isSpoiling = LockBox(true)
        let client = Client { configuration in
            configuration.settingsTimeout(1).requestFactory { request in
                var request = request
                if isSpoiling.withLock({ $0 }) { request.url = nil }
                return request
            }
        }
        client.analytics.track(name: "A")
        client.time.advance(by: 1)
        await client.attempted()
        #expect(client.server.events.isEmpty)
        isSpoiling.withLock { $0 = false }
        client.time.advance(by: 3600)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        await client.ended()
    }

    @Test("The app's user agent is in the context")
    func userAgent() async {
        let client = Client { $0.userAgent("Shop/3.1") }
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.events.first?["context"]?["userAgent"] == "Shop/3.1")
        await client.ended()
    }

    @Test("Requests go only to the hosts that the app named, whatever fails")
    func onlyOwnHosts() async {
        let client = Client { $0.inspector(true) }
        client.server.answerNext(400)
        client.analytics.track(name: "A", properties: ["broken": Double.nan])
        client.analytics.reportInternalError(TransportError("something"))
        client.analytics.track(name: "B")
        _ = await client.flushed()
        let requests = client.server.settingsRequests + client.server.batches
        #expect(requests.count > 2)
        #expect(client.server.hosts == ["server.test"])
        await client.ended()
    }

    @Test("A session that the app configured carries requests")
    func sessionConfiguration() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
        defer { server.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Gate": "secret"]
        let transport = URLSessionTransport(configuration: configuration)
        let request = TransportRequest(method: "POST", url: try #require(server.url), body: [1])
        let result = await withCheckedContinuation { done in transport.send(request) { done.resume(returning: $0) } }
        #expect(try result.get().status == 200)
        #expect(server.requests.first?.contains("X-Gate: secret") == true)
    }

    /// Calls deprecated options without a warning in this package.
    private protocol Moved { func configure(_ configuration: Configuration) }

    private struct App: Moved {
        @available(*, deprecated)
        func configure(_ configuration: Configuration) {
            configuration.application(nil).flushQueue(DispatchQueue(label: "app"))
        }
    }

    @Test("Options that the client does not need are accepted and have no effect")
    func unneeded() async {
        let app: any Moved = App()
        let client = Client { app.configure($0) }
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        await client.ended()
    }
}
