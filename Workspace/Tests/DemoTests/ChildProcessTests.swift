import Foundation
import Testing

@testable import Demo

/// These tests start real processes, because the system decides how processes end.
@Suite(.timeLimit(.minutes(30))) struct ChildProcessTests {
    private func shell(_ script: String) async throws -> ChildProcess {
        try await ChildProcess(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    }

    @Test("A child process keeps the lines of both outputs and reports its exit status")
    func keepsOutput() async throws {
        let child = try await shell("echo out; echo err >&2; printf unfinished; exit 3")
        #expect(await child.ended() == .exit(3))
        #expect(Set(child.output) == ["out", "err", "unfinished"])
        #expect(!child.isRunning)
    }

    @Test("A line of a child process can be read while the process runs")
    func readsEarly() async throws {
        let child = try await shell("echo one; echo ready: yes; exec tail -f /dev/null")
        #expect(await child.line(after: "ready: ", within: 50) == "yes")
        #expect(child.isRunning)
        child.signal(SIGKILL)
        #expect(await child.ended() == .signal(SIGKILL))
    }

    @Test("The wait for a line ends when the child process ends")
    func endsWaitAtExit() async throws {
        let child = try await shell("echo something else")
        #expect(await child.line(after: "ready: ", within: 3600) == nil)
        await child.ended()
    }

    @Test("The wait for a line ends after the given time")
    func endsWaitInTime() async throws {
        let child = try await shell("exec tail -f /dev/null")
        #expect(await child.line(after: "ready: ", within: 0.01) == nil)
        await child.stop()
        #expect(await child.ended() == .signal(SIGTERM))
    }

    @Test("A program that a cancelled task starts can be stopped")
    func startInCancelledTask() async throws {
        let start = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shell("exec tail -f /dev/null")
        }
        let child = try await start.value
        await child.stop()
        #expect(await child.ended() == .signal(SIGTERM))
    }

    @Test("The start of a missing program throws an error")
    func missingProgram() async {
        let program = URL(fileURLWithPath: "/no/such/program")
        await #expect(throws: DemoError.self) { try await ChildProcess(program, arguments: []) }
    }
}
