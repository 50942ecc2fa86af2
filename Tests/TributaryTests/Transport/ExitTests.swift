#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import Tributary

/// Programs that end while requests are under way; see `ExitProbe` for what they do.
@Suite("The end of a process while requests are under way", .serialized)
struct ExitTests {
    /// More by hand, before a change of the transport: `TRIBUTARY_EXITS=500`.
    private static let runs = ProcessInfo.processInfo.environment["TRIBUTARY_EXITS"].flatMap { Int($0) } ?? 24

    /// The end of a program that did not end normally.
    private func end(_ arguments: [String]) throws -> String? {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("LifecycleProbe")
        process.arguments = [folder.url.path, "exit"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        let isGood = process.terminationReason == .exit && process.terminationStatus == 0
        return isGood ? nil : "\(process.terminationReason) \(process.terminationStatus) of \(arguments.dropFirst(2))"
    }

    private func ends(_ host: String, trusting certificates: String = "", runs: Int = runs) throws -> [String] {
        try (0..<runs).compactMap { run in
            // The times range from before the first connection to after the first answers.
            let part = Double(run) / Double(runs)
            return try end(
                [
                    host, certificates, run.isMultiple(of: 2) ? "main" : "thread", "\(Int(120_000 * part * part))",
                    "\(1 + run % 4)",
                ] + (run % 3 == 0 ? ["first"] : []))
        }
    }

    @Test("An exit during TLS requests does not crash, from any thread")
    func overTLS() throws {
        let server = try SecureServer(for: "IP:127.0.0.1", isSlow: true)
        #expect(try ends(server.host, trusting: server.certificate) == [])
    }

    @Test(
        "A transport that is made or used after TLS cleaned up does not crash",
        arguments: ["used", "made"])
    func late(moment: String) throws {
        let server = try SecureServer(for: "IP:127.0.0.1")
        #expect(try end([server.host, server.certificate, moment]) == nil)
    }

    @Test("An exit during plain requests does not crash")
    func plain() throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        #expect(try ends("http://127.0.0.1:\(server.port)/v1", runs: Self.runs / 2) == [])
    }

    @Test("An exit during a name lookup does not crash and does not wait")
    func lookingUp() throws {
        #expect(try ends("https://a.name.that.nobody.has.invalid/v1", runs: Self.runs / 4) == [])
    }
}
#endif
