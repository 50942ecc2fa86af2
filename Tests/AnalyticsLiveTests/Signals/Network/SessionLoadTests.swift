import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way that requests take on Apple's systems, with real requests and a client that writes down what it gets.
@Suite("Captured requests by way of an inner session")
struct SessionLoadTests {
    private func run(
        _ server: LoopbackServer, _ path: String = "/", body: String? = nil, log: CaptureLog
    ) async throws -> [String] {
        var request = URLRequest(url: try #require(server.url(path)))
        if body != nil { request.httpMethod = "POST" }
        let client = ClientLog()
        let outer = Outer(request: request, cachedResponse: nil, client: client)
        let data = body.map { Data($0.utf8) }
        let load = SessionLoad(outer, body: data, capture: NetworkCapture.shared.begin(request, body: data))
        await client.ended { load.start() }
        load.stop()
        return client.heard
    }

    @Test("Head, body and end reach the client and the signals")
    func whole() async throws {
        let body = #"{"a":"\#(String(repeating: "x", count: 50_000))"}"#
        let server = try LoopbackServer { _ in LoopbackServer.json(body) }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let heard = try await run(server, body: #"{"q":1}"#, log: log)
        #expect(heard.first == "head 200")
        #expect(heard.dropFirst().dropLast().joined() == body)
        #expect(heard.last == "end")
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.hasSuffix(#"{"q":1}"#) == true)
        #expect(log.requests.map(\.data) == [["content": ["q": 1]]])
        #expect(log.responses.map { $0.data?["content"]?["a"]?.stringValue?.count } == [50_000])
    }

    @Test("An ended request is released completely", arguments: ["200 OK", "302 Found"])
    func released(status: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.answer(status, "Location: /new\r\n", body: "text") }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let request = URLRequest(url: try #require(server.url("/")))
        weak var kept: Outer?
        weak var keptLoad: SessionLoad?
        do {
            let client = ClientLog()
            let outer = Outer(request: request, cachedResponse: nil, client: client)
            let load = SessionLoad(outer, body: nil, capture: NetworkCapture.shared.begin(request))
            outer.load = load
            (kept, keptLoad) = (outer, load)
            await client.ended { load.start() }
            load.stop()
        }
        // The session may still have to say that the stopped request has ended.
        for _ in 0..<10_000 where keptLoad != nil { await LoadingSession.shared.idle() }
        #expect(kept == nil)
        #expect(keptLoad == nil)
    }

    @Test("A captured request uses its session's configuration, with changes until the first request")
    func configuration() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.answer("200 OK", "Set-Cookie: a=1\r\n", body: "text") }
        defer { server.stop() }
        let sessions = CapturedSessions()
        let own = URLSessionConfiguration.ephemeral
        let type = try #require(sessions.take(own))
        own.httpAdditionalHeaders = ["X-App": "shop"]
        let other = try #require(sessions.take(.default))
        #expect(type.place == 0)
        #expect(other.place == 1)
        #expect(sessions.session(at: 0) !== sessions.session(at: 1))
        let url = try #require(server.url("/"))
        for _ in 0..<2 {
            let client = ClientLog()
            let outer = Outer(request: URLRequest(url: url), cachedResponse: nil, client: client)
            let load = SessionLoad(outer, body: nil, capture: nil, sessions: sessions.session(at: 0))
            await client.ended { load.start() }
        }
        #expect(server.requests.allSatisfy { $0.lowercased().contains("x-app: shop") })
        #expect(HTTPCookieStorage.shared.cookies(for: url)?.isEmpty ?? true)
    }

    @Test("Only the first eight configurations of an app are captured")
    func many() {
        let sessions = CapturedSessions()
        let taken = (0..<20).map { _ in sessions.take(.ephemeral) }
        #expect(taken.compactMap { $0?.place } == Array(0..<CapturedSessions.classes.count))
    }

    @Test("A redirect is left to the outer session, which starts again")
    func redirect() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.answer("302 Found", "Location: /new\r\n", body: "moved") }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let heard = try await run(server, log: log)
        #expect(heard.count == 2)
        #expect(heard.first == "redirected to \(try #require(server.url("/new")))")
        #expect(heard.last?.hasPrefix("error") == true)
        #expect(server.requests.count == 1)
        #expect(log.responses.map(\.statusCode) == [302])
    }

    @Test("An error of a captured request reaches the client")
    func failure() async throws {
        let server = try LoopbackServer.refusing()
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let heard = try await run(server, log: log)
        #expect(heard.count == 1)
        #expect(heard.first?.hasPrefix("error") == true)
        #expect(log.responses.map(\.ok) == [false])
    }

    @Test("After a stop the client is not called again, and the response signal says cancelled")
    func stopped() async throws {
        let server = try LoopbackServer { _ in nil }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let request = URLRequest(url: try #require(server.url("/")))
        let client = ClientLog()
        let outer = Outer(request: request, cachedResponse: nil, client: client)
        let load = SessionLoad(outer, body: nil, capture: NetworkCapture.shared.begin(request))
        load.start()
        load.stop()
        load.stop()
        // On Linux the inner request is not ended, see `LoadingSession.cancel`.
        #if canImport(Darwin)
        if server.connections > 0 { await server.connectionEnded() }
        #endif
        #expect(client.heard.isEmpty)
        #expect(log.responses.map { $0.data?["error"]?["code"]?.intValue } == [NSURLErrorCancelled])
    }
}

private final class Outer: URLProtocol {
    /// The same reference as in `SignalsNetworkProtocol`.
    var load: SessionLoad?
}

private final class ClientLog: NSObject, URLProtocolClient, Sendable {
    private let log = LockBox<(heard: [String], done: CheckedContinuation<Void, Never>?)>(([], nil))

    var heard: [String] { log.withLock { $0.heard } }

    func ended(_ start: () -> Void) async {
        await withCheckedContinuation { done in
            log.withLock { $0.done = done }
            start()
        }
    }

    private func hear(_ line: String, isLast: Bool = false) {
        log.withLock { log -> CheckedContinuation<Void, Never>? in
            log.heard.append(line)
            guard isLast else { return nil }
            defer { log.done = nil }
            return log.done
        }?.resume()
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        hear("redirected to \(request.url?.absoluteString ?? "")")
    }

    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {}

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        hear("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { hear(String(decoding: data, as: UTF8.self)) }

    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { hear("end", isLast: true) }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        hear("error \((error as NSError).code)", isLast: true)
    }

    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {}
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}
}
