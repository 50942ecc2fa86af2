#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import Tributary

/// Programs that end while requests are under way; see `ExitProbe` for what they do.
@Suite(
    "The end of a process while requests are under way", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["TRIBUTARY_EXITS"] != nil, "TRIBUTARY_EXITS says how many"))
struct ExitTests {
    /// By hand, before a change of the transport.
    private static let runs = ProcessInfo.processInfo.environment["TRIBUTARY_EXITS"].flatMap { Int($0) } ?? 40

    /// How a program ended that had that long to begin.
    private func end(
        _ host: String, trusting certificates: String, onMain: Bool, microseconds: Int, clients: Int,
        isOtherFirst: Bool
    ) throws -> String? {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("LifecycleProbe")
        process.arguments =
            [folder.url.path, "exit", host, certificates, onMain ? "main" : "thread", "\(microseconds)", "\(clients)"]
            + (isOtherFirst ? ["first"] : [])
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        process.waitUntilExit()
        let isGood = process.terminationReason == .exit && process.terminationStatus == 0
        return isGood ? nil : "\(process.terminationReason) \(process.terminationStatus) after \(microseconds) µs"
    }

    private func ends(_ host: String, trusting certificates: String = "", runs: Int = runs) throws -> [String] {
        try (0..<runs).compactMap { run in
            // The moments go from before the first connection to behind the first answers.
            try end(
                host, trusting: certificates, onMain: run.isMultiple(of: 2),
                microseconds: 120_000 * run / runs, clients: 1 + run % 4, isOtherFirst: run % 3 == 0)
        }
    }

    @Test(
        "over TLS, from any thread, is no crash: in the handshake, in an answer that comes slowly, with several clients"
    )
    func overTLS() throws {
        let server = try SecureServer(for: "IP:127.0.0.1", isSlow: true)
        #expect(try ends(server.host, trusting: server.certificate) == [])
    }

    @Test("without TLS is no crash either")
    func plain() throws {
        let server = try LoopbackServer { _ in nil }
        defer { server.stop() }
        #expect(try ends("http://127.0.0.1:\(server.port)/v1", runs: Self.runs / 2) == [])
    }

    @Test("while a name is looked up is no crash, and does not wait for the name")
    func lookingUp() throws {
        #expect(try ends("https://a.name.that.nobody.has.invalid/v1", runs: Self.runs / 4) == [])
    }
}
#endif
