import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Network capture, with real requests")
struct NetworkCaptureTests {
    private func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        URLSession(
            configuration: URLSessionConfiguration.ephemeral.capturingSignals(), delegate: delegate, delegateQueue: nil)
    }

    @Test("A request and its response are two signals with one id, and the app's answer is whole")
    func pair() async throws {
        let server = try LoopbackServer { _ in
            LoopbackServer.json(#"{"id":7,"price":9.90,"token":"s3"}"#, "Set-Cookie: a=b\r\n")
        }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        var request = URLRequest(url: try #require(server.url("/product?id=7&api_key=s1")))
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"q":"shoe","password":"s2"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer s4", forHTTPHeaderField: "Authorization")
        let (data, response) = try await session().data(for: request)

        #expect(String(decoding: data, as: UTF8.self) == #"{"id":7,"price":9.90,"token":"s3"}"#)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let sent = try #require(server.requests.first)
        #expect(sent.hasPrefix("POST /product?id=7&api_key=s1 HTTP/1.1"))
        #expect(sent.contains("Authorization: Bearer s4"))
        #expect(sent.hasSuffix(#"{"q":"shoe","password":"s2"}"#))

        #expect(log.data.map(\.action) == [.request, .response])
        let (asked, answered) = (try #require(log.requests.first), try #require(log.responses.first))
        #expect(asked.url == "http://127.0.0.1:\(server.port)/product?id=7&api_key=REDACTED")
        #expect(asked.url == answered.url)
        #expect(asked.requestId != nil && asked.requestId == answered.requestId)
        #expect(asked.method == "POST")
        #expect(asked.contentType == "application/json")
        #expect(asked.data == ["content": ["q": "shoe", "password": "REDACTED"]])
        #expect(answered.statusCode == 200)
        #expect(answered.ok == true)
        #expect(answered.data?["content"]?["price"]?.doubleValue == 9.9)
        for data in log.data {
            let text = try JSON(with: data).toString()
            #expect(!["s1", "s2", "s3", "s4", "Cookie", "a=b"].contains { text.contains($0) }, "\(text)")
        }
    }

    @Test("A session's delegate gets the same calls in the same order as without the capture")
    func delegate() async throws {
        let server = try LoopbackServer {
            $0.hasPrefix("GET /old")
                ? LoopbackServer.answer("302 Found", "Location: http://127.0.0.1:\($0.port)/new\r\n")
                : LoopbackServer.json(#"{"a":1}"#)
        }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let (captured, plain) = (SessionLog(), SessionLog())
        let url = try #require(server.url("/old"))
        await captured.run(session(captured), url)
        await plain.run(URLSession(configuration: .ephemeral, delegate: plain, delegateQueue: nil), url)
        #expect(captured.heard == plain.heard)
        #expect(captured.heard == ["redirect 302", "head 200", #"data {"a":1}"#, "end"])
        #expect(log.data.map(\.action) == [.request, .response])
        #expect(log.responses.first?.statusCode == 200)
    }

    @Test("A redirect that the app refuses is not followed")
    func refusedRedirect() async throws {
        let server = try LoopbackServer {
            LoopbackServer.answer("302 Found", "Location: http://127.0.0.1:\($0.port)/new\r\n")
        }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let delegate = SessionLog(followsRedirects: false)
        await delegate.run(session(delegate), try #require(server.url("/old")))
        #expect(server.requests.count == 1)
        #expect(delegate.heard.last == "end")
        #expect(log.responses.map(\.statusCode) == [302])
    }

    @Test("A request for a password reaches the app's delegate, and its answer reaches the server")
    func password() async throws {
        let server = try LoopbackServer { text in
            text.contains("Authorization: Basic dTpw")
                ? LoopbackServer.json(#"{"a":1}"#)
                : LoopbackServer.answer("401 Unauthorized", "WWW-Authenticate: Basic realm=\"x\"\r\n", body: "no")
        }
        let log = CaptureLog(server)
        defer {
            log.stop()
            server.stop()
        }
        let (captured, plain) = (SessionLog(), SessionLog())
        let url = try #require(server.url("/private"))
        await captured.run(session(captured), url)
        await plain.run(URLSession(configuration: .ephemeral, delegate: plain, delegateQueue: nil), url)
        #expect(captured.heard == plain.heard)
        #expect(captured.heard.contains("challenge"))
        #expect(captured.heard.suffix(2) == [#"data {"a":1}"#, "end"])
        #expect(log.responses.map(\.statusCode) == [401])
    }

    @Test("Downloads and uploads are captured, and work as without the capture")
    func otherTasks() async throws {
        let server = try LoopbackServer { LoopbackServer.json($0.hasPrefix("POST") ? #"{"up":1}"# : #"{"down":1}"#) }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let session = session()
        let url = try #require(server.url("/file"))
        let file = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Data, any Error>) in
            session.downloadTask(with: url) { file, _, error in
                done.resume(with: Result { try Data(contentsOf: try file ?? { throw error ?? URLError(.unknown) }()) })
            }.resume()
        }
        #expect(String(decoding: file, as: UTF8.self) == #"{"down":1}"#)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let (data, _) = try await session.upload(for: request, from: Data("payload".utf8))
        #expect(String(decoding: data, as: UTF8.self) == #"{"up":1}"#)
        #expect(server.requests.last?.hasSuffix("payload") == true)
        #expect(log.responses.map(\.statusCode) == [200, 200])
    }

    @Test("A streaming body reaches the server unchanged and is in no signal")
    func streamedBody() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.json("{}") }
        let log = CaptureLog(server)
        defer {
            log.stop()
            server.stop()
        }
        let stream = CountingStream(Data("streamed".utf8))
        var request = URLRequest(url: try #require(server.url("/stream")))
        request.httpMethod = "POST"
        request.httpBodyStream = stream
        let captured = try #require(NetworkCapture.shared.begin(request))
        #expect(stream.reads == 0)
        captured.end(URLError(.cancelled))
        let (data, _) = try await session().data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "{}")
        #expect(server.requests.first?.contains("streamed") == true)
        #expect(stream.reads > 0)
        #expect(log.requests.map(\.data) == [nil, nil])
    }

    @Test("A failed request makes a response signal with the reason")
    func failure() async throws {
        let server = try LoopbackServer.refusing()
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let url = try #require(server.url("/x"))
        await #expect(throws: URLError.self) { try await session().data(from: url) }
        let response = try #require(log.responses.first)
        #expect(log.data.count == 2)
        #expect(response.statusCode == nil)
        #expect(response.ok == false)
        #expect(response.data?["error"]?["domain"] == "NSURLErrorDomain")
        #expect(response.data?["error"]?["code"]?.intValue != nil)
    }

    @Test("A request that the app cancels makes a response signal that says so")
    func cancelled() async throws {
        let server = try LoopbackServer { _ in nil }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let url = try #require(server.url("/x"))
        let session = session()
        let code = await withCheckedContinuation { (done: CheckedContinuation<Int?, Never>) in
            let task = session.dataTask(with: url) { _, _, error in
                done.resume(returning: (error as? URLError)?.errorCode)
            }
            task.resume()
            task.cancel()
        }
        #expect(code == NSURLErrorCancelled)
        #expect(log.responses.allSatisfy { $0.data?["error"]?["code"]?.intValue == NSURLErrorCancelled })
        #expect(log.requests.count == log.responses.count)
    }

    @Test("A task that is cancelled before it began makes no signals")
    func neverStarted() async throws {
        let server = try LoopbackServer { _ in nil }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let url = try #require(server.url("/x"))
        let session = session()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            session.dataTask(with: url) { _, _, _ in done.resume() }.cancel()
        }
        #expect(log.data.isEmpty)
    }

    @Test("A huge answer reaches the app, and its body is in no signal")
    func huge() async throws {
        let body = #"{"a":""# + String(repeating: "x", count: 1_000_000) + #""}"#
        let server = try LoopbackServer { _ in LoopbackServer.json(body) }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let (data, _) = try await session().data(from: try #require(server.url("/huge")))
        #expect(data.count == body.utf8.count)
        #expect(log.responses.first?.statusCode == 200)
        #expect(log.responses.first?.data == nil)
    }

    @Test("The signal of a failed response has its status", arguments: ["404 Not Found", "500 Oops", "204 No Content"])
    func statuses(line: String) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.answer(line) }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        _ = try await session().data(from: try #require(server.url("/x")))
        #expect(log.responses.first?.statusCode == Int(line.prefix(3)))
        #expect(log.responses.first?.ok == line.hasPrefix("2"))
    }

    @Test("Captures that are off make no signals")
    func off() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.json("{}") }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let url = try #require(server.url("/x"))
        _ = try await URLSession(configuration: .ephemeral).data(from: url)
        log.isOn = false
        _ = try await session().data(from: url)
        log.isOn = true
        #expect(log.data.isEmpty)
        _ = try await session().data(from: url)
        #expect(log.data.count == 2)
        log.stop()
        _ = try await session().data(from: url)
        #expect(log.data.count == 2)
    }

    @Test("Many requests at once do not mix their signals")
    func concurrent() async throws {
        let server = try LoopbackServer { text in
            LoopbackServer.json(#"{"path":"\#(text.split(separator: " ")[1])"}"#)
        }
        let log = CaptureLog(server)
        defer { log.stop(); server.stop() }
        let session = session()
        let urls = try (0..<40).map { try #require(server.url("/\($0)")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for url in urls { group.addTask { _ = try await session.data(from: url) } }
            try await group.waitForAll()
        }
        #expect(log.data.count == 80)
        for request in log.requests {
            let response = log.responses.first { $0.requestId == request.requestId }
            #expect(response?.url == request.url)
            #expect(response?.data?["content"]?["path"]?.stringValue.map { request.url.hasSuffix($0) } == true)
        }
    }

    @Test("The app's own protocol classes stay in front of the capture")
    func place() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Own.self] + (configuration.protocolClasses ?? [])
        configuration.captureSignals()
        configuration.captureSignals()
        let classes = (configuration.protocolClasses ?? []).map { ObjectIdentifier($0) }
        #expect(classes.first == ObjectIdentifier(Own.self))
        #expect(classes.firstIndex(of: ObjectIdentifier(SignalsNetworkProtocol.self)) == 1)
        #expect(classes.filter { $0 == ObjectIdentifier(SignalsNetworkProtocol.self) }.count == 1)
    }

    private final class Own: URLProtocol {}
}

extension String {
    /// The port that a request names as its host's.
    fileprivate var port: Substring {
        guard let field = range(of: "Host: 127.0.0.1:") else { return "" }
        return self[field.upperBound...].prefix { $0.isNumber }
    }
}

/// Notes the calls of a session's delegate.
private final class SessionLog: NSObject, URLSessionDataDelegate, Sendable {
    private let log = LockBox<(heard: [String], done: CheckedContinuation<Void, Never>?)>(([], nil))
    private let followsRedirects: Bool

    init(followsRedirects: Bool = true) { self.followsRedirects = followsRedirects }

    var heard: [String] { log.withLock { $0.heard } }

    func run(_ session: URLSession, _ url: URL) async {
        await withCheckedContinuation { done in
            log.withLock { $0.done = done }
            session.dataTask(with: url).resume()
        }
    }

    private func hear(_ line: String) { log.withLock { $0.heard.append(line) } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        hear("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        hear("data \(String(decoding: data, as: UTF8.self))")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        hear("redirect \(response.statusCode)")
        completionHandler(followsRedirects ? request : nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        hear("challenge")
        completionHandler(.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        hear(error == nil ? "end" : "error")
        log.withLock { log in
            defer { log.done = nil }
            return log.done
        }?.resume()
    }
}

/// A body that counts how often it is read.
private final class CountingStream: InputStream {
    var reads = 0
    private let body: Data

    init(_ body: Data) {
        self.body = body
        super.init(data: body)
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        reads += 1
        return super.read(buffer, maxLength: length)
    }
}
