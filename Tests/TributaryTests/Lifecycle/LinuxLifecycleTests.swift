#if os(Linux)
import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Signals on Linux, in a real process")
struct LinuxLifecycleTests {
    /// A started probe that waits for signals.
    private struct Probe {
        let process = Process()
        let folder: TemporaryFolder
        let output: FileHandle
        private let pipe = Pipe()

        init(_ before: String) throws {
            folder = try TemporaryFolder()
            output = pipe.fileHandleForReading
            let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            process.executableURL = programs.appendingPathComponent("LifecycleProbe")
            process.arguments = [folder.url.path, before]
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.start()
        }

        /// The probe's output up to a line, or all output when the probe ended before.
        func read(until end: String) -> String {
            var text = ""
            while !text.hasSuffix(end + "\n") {
                let more = output.readData(ofLength: 1)
                guard !more.isEmpty else { return text }
                text += String(decoding: more, as: UTF8.self)
            }
            return text
        }

        func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

        /// The probe's output to its end.
        func rest() -> String {
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text
        }

        /// The events that the probe tracked, as the next client on its folder delivers them.
        func events() async -> [String] {
            let next = Client(folder: folder.url)
            #expect(await next.flushed() == .sent)
            await next.ended()
            return next.server.names
        }
    }

    /// The system picks the thread that a signal interrupts, so the test repeats.
    @Test("A program that gets SIGTERM tracks its end and ends by the signal", arguments: 1...8)
    func byDefault(round: Int) async throws {
        let probe = try Probe("default")
        #expect(probe.read(until: "ready") == "launched\nready\n")
        probe.signal(SIGTERM)
        #expect(probe.rest() == "signal 15\n")
        #expect(probe.process.terminationReason == .uncaughtSignal)
        #expect(probe.process.terminationStatus == SIGTERM)
        #expect(
            await probe.events() == ["Application Installed", "Application Opened", "Application Terminated"])
    }

    @Test("The program's earlier signal handler runs afterwards", arguments: 1...4)
    func chained(round: Int) async throws {
        let probe = try Probe("handler")
        _ = probe.read(until: "ready")
        probe.signal(SIGTERM)
        #expect(probe.rest() == "signal 15\nearlier\n")
        #expect(probe.process.terminationReason == .exit)
        #expect(probe.process.terminationStatus == 7)
        #expect(await probe.events().last == "Application Terminated")
    }

    @Test("An ignored signal stays ignored")
    func ignored() async throws {
        let probe = try Probe("ignore")
        _ = probe.read(until: "ready")
        probe.signal(SIGTERM)
        probe.signal(SIGKILL)
        #expect(probe.rest() == "")
        #expect(await probe.events() == ["Application Installed", "Application Opened"])
    }

    @Test("Without the option a program gets no lifecycle events and no handler")
    func nothingByDefault() async throws {
        let probe = try Probe("none")
        #expect(probe.read(until: "ready") == "ready\n")
        probe.signal(SIGTERM)
        #expect(probe.rest() == "")
        #expect(probe.process.terminationReason == .uncaughtSignal)
        #expect(await probe.events() == [])
    }

    @Test("No handler is installed for signals that cannot be caught")
    func uncatchable() {
        #expect(LinuxLifecycle.install(signals: [SIGKILL, 0, -1, 1000]) == [])
    }
}
#endif
