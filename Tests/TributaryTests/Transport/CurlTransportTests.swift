#if canImport(CTributaryCurl)
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("libcurl as transport, against a real socket")
struct CurlTransportTests {
    typealias Answer = Result<TransportResponse, TransportError>

    private func send(_ request: TransportRequest, over transport: CurlTransport = CurlTransport()) async -> Answer {
        await withCheckedContinuation { continuation in
            transport.send(request) { continuation.resume(returning: $0) }
        }
    }

    private func post(
        _ server: LoopbackServer, headers: [String: String] = [:], deadline: TimeInterval = 60,
        limit: TransportRequest.AnswerLimit = .whole(1 << 20)
    ) throws -> TransportRequest {
        TransportRequest(
            method: "POST", url: try #require(server.url), headers: headers, body: [UInt8]("{}".utf8),
            deadline: deadline, answerLimit: limit)
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"

    // Answers that are none

    @Test(
        "An answer that ends within its head is an error, and the next request goes through",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 200 OK", "HTTP/1.1 2", "HTTP/1.1", "H", "", "\r\n\r\n", "\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConten", "SSH-2.0-OpenSSH_9.2\r\n", "<html>hello</html>",
            "HTTP/1.1 OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
        ], [LoopbackServer.Ending.close, .reset])
    func cutHead(answer: String, ending: LoopbackServer.Ending) async throws {
        let server = try LoopbackServer(ending: ending) { _ in answer }
        defer { server.stop() }
        let transport = CurlTransport()
        let result = await send(try post(server), over: transport)
        #expect(throws: TransportError.self) { try result.get() }
        let healthy = try LoopbackServer { _ in Self.ok }
        defer { healthy.stop() }
        #expect(try await send(try post(healthy), over: transport).get().status == 200)
    }

    @Test(
        "An answer whose head does not end is given up",
        arguments: [
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Field: \(String(repeating: "y", count: 90))\r\n", count: 9000),
            "HTTP/1.1 200 OK\r\nX-Field: " + String(repeating: "y", count: 900_000),
            String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 20_000), String(repeating: "x", count: 900_000),
        ])
    func headFlood(answer: String) async throws {
        let server = try LoopbackServer(ending: .keepOpen) { _ in answer }
        defer { server.stop() }
        let result = await send(try post(server))
        guard case .failure(let error) = result else { throw TransportError("there was an answer: \(result)") }
        #expect(!error.isTimeout)
    }

    // Compression

    @Test("A compressed answer is decoded, with a bound for its decoded size")
    func compressed() async throws {
        let large = [UInt8](repeating: 7, count: 2_000_000)
        let packed = try #require(Gzip.compress(large))
        #expect(packed.count < 10_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = try LoopbackServer(bytes: { _ in Array(head.utf8) + packed })
        defer { server.stop() }
        #expect(try await send(try post(server, limit: .whole(large.count))).get().body == large)
        #expect(try await send(try post(server, limit: .beginning(1000))).get().body.count == 1000)
        let bounded = await send(try post(server, limit: .whole(large.count - 1)))
        #expect(throws: TransportError.self) { try bounded.get() }
        #expect(server.requests.first?.contains("\r\nAccept-Encoding: gzip, deflate\r\n") == true)
    }

    @Test("A compressed answer that is damaged is an error")
    func damaged() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n"
        let server = try LoopbackServer { _ in head + "not gzip!" }
        defer { server.stop() }
        let result = await send(try post(server))
        #expect(throws: TransportError.self) { try result.get() }
    }

    // Requests

    @Test("A request has the given fields and no Expect field")
    func fields() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        defer { server.stop() }
        var request = try post(server, headers: ["X-Empty": "", "Authorization": "Basic a2V5Og=="])
        request.body = [UInt8](repeating: 0x20, count: 2_000_000)
        #expect(try await send(request).get().status == 200)
        let head = try #require(server.requests.first?.components(separatedBy: "\r\n\r\n").first)
        let names = head.components(separatedBy: "\r\n").dropFirst().map { $0.prefix { $0 != ":" }.lowercased() }
        #expect(names.sorted() == ["accept", "accept-encoding", "authorization", "content-length", "host", "x-empty"])
        #expect(head.contains("\r\nAuthorization: Basic a2V5Og=="))
    }

    @Test("GET, POST without a body and other methods are sent as such")
    func methods() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        defer { server.stop() }
        let url = try #require(server.url)
        for method in ["GET", "POST", "PUT"] {
            #expect(try await send(TransportRequest(method: method, url: url)).get().body == [UInt8]("x".utf8))
        }
        #expect(server.requests.map { $0.prefix { $0 != " " } } == ["GET", "POST", "PUT"])
        #expect(server.requests[0].contains("Content-Length") == false)
        #expect(server.requests[1].contains("\r\nContent-Length: 0\r\n"))
    }

    @Test("A header field or method of more than one line is refused, and no request is sent")
    func injection() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        defer { server.stop() }
        for headers in [["X": "a\r\nY: b"], ["X\r\nY": "b"], ["X:": "b"], ["": "b"], ["X": "a\u{0}b"]] {
            let result = await send(try post(server, headers: headers))
            #expect(throws: TransportError.self, "\(headers)") { try result.get() }
        }
        var request = try post(server)
        request.method = "POST / HTTP/1.1\r\nX: y\r\n\r\nGET"
        let result = await send(request)
        #expect(throws: TransportError.self) { try result.get() }
        #expect(server.connections == 0)
    }

    @Test(
        "Only http and https addresses are accepted",
        arguments: ["file:///etc/hostname", "ftp://127.0.0.1:1/x", "x", "dict:x"])
    func schemes(address: String) async throws {
        let result = await send(TransportRequest(method: "GET", url: try #require(URL(string: address))))
        #expect(throws: TransportError.self) { try result.get() }
    }

    @Test("Repeated header fields become a list, and fields of an interim answer are ignored")
    func answerFields() async throws {
        let server = try LoopbackServer { _ in
            "HTTP/1.1 103 Early Hints\r\nX-Early: a\r\n\r\nHTTP/1.1 200 OK\r\nVia: a\r\nContent-Length: 0\r\nvIA:  b \r\n\r\n"
        }
        defer { server.stop() }
        let response = try await send(try post(server)).get()
        #expect(response.status == 200)
        #expect(response.headers == ["via": "a, b", "content-length": "0"])
    }

    // Deadlines and threads

    @Test("Requests without an answer do not block other requests")
    func manyDeadlines() async throws {
        let silent = try LoopbackServer { _ in nil }
        let healthy = try LoopbackServer { _ in Self.ok }
        defer {
            silent.stop()
            healthy.stop()
        }
        let transport = CurlTransport()
        let patient = try post(silent, deadline: 1)
        let waiting = (0..<12).map { _ in Task { await send(patient, over: transport) } }
        #expect(try await send(try post(healthy), over: transport).get().status == 200)
        for task in waiting {
            guard case .failure(let error) = await task.value else { throw TransportError("there was an answer") }
            #expect(error.isTimeout)
        }
        #expect(silent.connections >= 1)
    }

    @Test("A host gets at most two connections at once")
    func connectionsPerHost() async throws {
        let open = LockBox((now: 0, most: 0))
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            open.withLock { open in
                open.now += 1
                open.most = max(open.most, open.now)
            }
            gate.wait()
            open.withLock { $0.now -= 1 }
            return Self.ok
        }
        let other = try LoopbackServer { _ in Self.ok }
        defer {
            server.stop()
            other.stop()
        }
        let transport = CurlTransport()
        let request = try post(server)
        let waiting = (0..<12).map { _ in Task { await send(request, over: transport) } }
        #expect(try await send(try post(other), over: transport).get().status == 200)
        for _ in waiting { gate.signal() }
        for task in waiting { #expect(try await task.value.get().status == 200) }
        #expect(server.requests.count == 12)
        #expect((1...2).contains(open.withLock { $0.most }))
    }

    @Test("A deadline that is not a number of seconds ends the request", arguments: [-1, 0, TimeInterval.nan])
    func strangeDeadline(deadline: TimeInterval) async throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        guard case .failure(let error) = await send(try post(server, deadline: deadline)) else {
            throw TransportError("there was an answer")
        }
        #expect(error.isTimeout)
    }

    @Test("An infinite deadline is accepted")
    func endlessDeadline() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        defer { server.stop() }
        #expect(try await send(try post(server, deadline: .infinity)).get().status == 200)
    }

    @Test("A completion that does not return delays no other request")
    func slowCompletion() async throws {
        let server = try LoopbackServer { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport()
        let request = try post(server)
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { (entered: CheckedContinuation<Void, Never>) in
            transport.send(request) { _ in
                entered.resume()
                gate.wait()
            }
        }
        #expect(try await send(request, over: transport).get().status == 200)
        gate.signal()
    }

    @Test("Each of many requests at once ends once")
    func many() async throws {
        let server = try LoopbackServer(ending: .keepOpen) { text in
            let body = text.components(separatedBy: "\r\n\r\n").last ?? ""
            return "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        defer { server.stop() }
        let transport = CurlTransport()
        // The requests wait for one another, so the time depends on the machine.
        let request = try post(server, deadline: 3600)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    var request = request
                    request.body = [UInt8]("\(number)".utf8)
                    return (try? await send(request, over: transport).get().body) == request.body
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(server.requests.count == 200)
        #expect(server.connections < 20)
    }

    // Connections

    @Test("A transport that is released closes its connections")
    func released() async throws {
        let server = try LoopbackServer(ending: .keepOpen) { _ in Self.ok }
        defer { server.stop() }
        #expect(try await send(try post(server)).get().status == 200)
        await server.connectionEnded()
    }

    @Test("A released transport ends its requests")
    func releasedEarly() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            gate.wait()
            return Self.ok
        }
        defer { server.stop() }
        let request = try post(server)
        var transport: CurlTransport? = CurlTransport()
        let result = await withCheckedContinuation { continuation in
            transport?.send(request) { continuation.resume(returning: $0) }
            transport = nil
            gate.signal()
        }
        #expect(try result.get().status == 200)
    }

    @Test("Connections are closed after a while without requests, and opened again")
    func idle() async throws {
        let server = try LoopbackServer(ending: .keepOpen) { _ in Self.ok }
        defer { server.stop() }
        let transport = CurlTransport(idleSeconds: 0)
        for _ in 0..<20 {
            #expect(try await send(try post(server), over: transport).get().status == 200)
        }
        await server.connectionEnded()
        #expect(server.requests.count == 20)
    }
}
#endif
