#if canImport(CTributaryCurl)
import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("libcurl as transport, with certificates and proxies")
struct CurlSecurityTests {
    private func send(
        _ url: URL, trusting authorities: String? = nil
    ) async -> Result<TransportResponse, TransportError> {
        let transport = CurlTransport(idleSeconds: 1, authorities: authorities)
        let request = TransportRequest(method: "POST", url: url, body: [UInt8]("secret".utf8), deadline: 60)
        return await withCheckedContinuation { continuation in
            transport.send(request) { continuation.resume(returning: $0) }
        }
    }

    @Test("A server with a trusted certificate gets the request, and any other server gets no part of it")
    func certificates() async throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        let answer = try await send(server.url, trusting: server.certificate).get()
        #expect(answer.status == 200 && answer.body == [UInt8]("secret".utf8))
        let refused = await send(server.url)
        guard case .failure(let error) = refused else { throw TransportError("a stranger got the request") }
        #expect(!error.isTimeout)
        #expect(error.description.lowercased().contains("certificate"), "\(error)")
    }

    @Test("A certificate for another host is not trusted")
    func otherHost() async throws {
        let server = try SecureServer(for: "DNS:other.test")
        let refused = await send(server.url, trusting: server.certificate)
        #expect(throws: TransportError.self) { try refused.get() }
    }

    /// The output of a program that sends one request with its own environment.
    private func probe(_ url: String, _ environment: [String: String]) throws -> String {
        let folder = try TemporaryFolder()
        let process = Process()
        let output = Pipe()
        let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        process.executableURL = programs.appendingPathComponent("LifecycleProbe")
        process.arguments = [folder.url.path, url]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.start()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    @Test("The environment's proxy gets the request, and its answer is used")
    func proxy() throws {
        let proxy = try LoopbackServer { _ in "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n" }
        defer { proxy.stop() }
        let address = "http://127.0.0.1:\(proxy.port)"
        #expect(try probe("http://server.invalid/v1/b", ["http_proxy": address, "no_proxy": ""]) == "202\n")
        #expect(proxy.requests.first?.hasPrefix("POST http://server.invalid/v1/b HTTP/1.1\r\n") == true)
        #expect(proxy.requests.first?.hasSuffix("\r\n\r\n{}") == true)
    }

    @Test("A proxy's refusal does not count as an answer of the server", arguments: [200, 403, 407, 502])
    func refusingProxy(status: Int) throws {
        let proxy = try LoopbackServer(reading: .head) { _ in "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n" }
        defer { proxy.stop() }
        let address = "http://127.0.0.1:\(proxy.port)"
        #expect(try probe("https://server.invalid/v1/b", ["https_proxy": address, "no_proxy": ""]) == "failure\n")
        #expect(proxy.requests.first?.hasPrefix("CONNECT server.invalid:443 HTTP/1.1\r\n") == true)
    }

    @Test("An address without a proxy is reached directly")
    func noProxy() throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 204 No Content\r\n\r\n" }
        defer { server.stop() }
        let environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1"]
        #expect(try probe("http://127.0.0.1:\(server.port)/v1/b", environment) == "204\n")
        #expect(server.requests.first?.hasPrefix("POST /v1/b HTTP/1.1\r\n") == true)
    }
}
#endif
