import Foundation
import Testing

@testable import Demo

/// Real processes, because what matters is what the system does.
@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
    private func shell(_ script: String) async throws -> ChildProcess {
        try await ChildProcess(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    }

    @Test func bothOutputsAreKeptAndTheEndIsKnown() async throws {
        let child = try await shell("echo out; echo err >&2; printf unfinished; exit 3")
        #expect(await child.ended() == .exit(3))
        #expect(Set(child.output) == ["out", "err", "unfinished"])
        #expect(!child.isRunning)
    }

    @Test func aLineIsThereAsSoonAsItIsWritten() async throws {
        let child = try await shell("echo one; echo ready: yes; exec tail -f /dev/null")
        #expect(await child.line(after: "ready: ", within: 50) == "yes")
        #expect(child.isRunning)
        child.signal(SIGKILL)
        #expect(await child.ended() == .signal(SIGKILL))
    }

    @Test func aLineThatNeverComesIsNotWaitedForBeyondTheEnd() async throws {
        let child = try await shell("echo something else")
        #expect(await child.line(after: "ready: ", within: 3600) == nil)
        await child.ended()
    }

    @Test func theTimeIsBounded() async throws {
        let child = try await shell("exec tail -f /dev/null")
        #expect(await child.line(after: "ready: ", within: 0.01) == nil)
        await child.stop()
        #expect(await child.ended() == .signal(SIGTERM))
    }

    @Test func whatCannotBeStartedIsAnError() async {
        let program = URL(fileURLWithPath: "/no/such/program")
        await #expect(throws: DemoError.self) { try await ChildProcess(program, arguments: []) }
    }
}
