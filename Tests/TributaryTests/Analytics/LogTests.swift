import Logging
import TestSupport
import Testing

@testable import Tributary

@Suite("The log", .serialized)
struct LogTests {
    private struct Refusal: Error, CustomStringConvertible { let description = "the service refused" }

    /// A log handler that keeps the lines that a logger lets through.
    private struct Keeper: LogHandler {
        let lines: LockBox<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(_ lines: LockBox<[String]>) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.withLock { $0.append("\(event.level): \(event.message)") } }
    }

    private func client() -> (Client, LockBox<[String]>) {
        let lines = LockBox<[String]>([])
        let client = Client { $0.logger(Logger(label: "test") { _ in Keeper(lines) }) }
        return (client, lines)
    }

    @Test("The log is empty in normal work, has warnings of failures, and has every warning and error of the app")
    func levels() async {
        let (client, lines) = client()
        client.analytics.track(name: "A")
        client.analytics.log(message: "for developers")
        client.analytics.report(Diagnostic(.delivery, "it goes on", reason: .resumed))
        client.analytics.report(Diagnostic(.livePlugins, "version 1 runs", severity: .notice))
        #expect(await client.flushed() == .sent)
        #expect(lines.withLock { $0 }.isEmpty)
        client.analytics.report(Diagnostic(.pluginFault, "it failed", plugin: "P"))
        #expect(lines.withLock { $0 } == ["warning: plugin_fault: it failed [plugin P]"])
        lines.withLock { $0 = [] }
        for kind in Analytics.LogKind.allCases { client.analytics.log(message: "\(kind)", kind: kind) }
        #expect(lines.withLock { $0 } == ["error: error", "warning: warning"])
        await client.ended()
    }

    @Test("With debugLogsEnabled, the log has messages for developers too")
    func debugLogs() async {
        let (client, lines) = client()
        Analytics.debugLogsEnabled = true
        client.analytics.log(message: "for developers")
        client.analytics.report(Diagnostic(.delivery, "a diagnostic", severity: .notice))
        Analytics.debugLogsEnabled = false
        client.analytics.log(message: "later")
        #expect(!Analytics.debugLogsEnabled)
        let shown = lines.withLock { $0 }
        #expect(shown.contains("debug: for developers"))
        #expect(shown.contains { $0.hasPrefix("debug: ") && $0.contains("a diagnostic") })
        #expect(!shown.contains("debug: later"))
        await client.ended()
    }

    @Test("A flood of warnings is cut, with a count")
    func flood() async {
        let (client, lines) = client()
        for number in 1...30 { client.analytics.report(Diagnostic(.signals, "loss \(number)")) }
        #expect(lines.withLock { $0.count } == 10)
        #expect(lines.withLock { $0.last }?.contains("loss 10 (the next of this kind are not logged") == true)
        client.time.advance(by: 60)
        client.analytics.report(Diagnostic(.signals, "later"))
        #expect(lines.withLock { $0.last } == "warning: signals: later (20 of this kind were not logged)")
        await client.reported(.signals, count: 31)
        await client.ended()
    }

    @Test("The error handler gets failures, and no notices or recoveries")
    func errorHandler() async {
        let errors = LockBox<[String]>([])
        let client = Client { $0.errorHandler { error in errors.withLock { $0.append("\(error)") } } }
        client.analytics.report(Diagnostic(.livePlugins, "version 1 runs: A", severity: .notice))
        client.analytics.report(Diagnostic(.storage, "it can be used again", reason: .recovered))
        client.analytics.report(Diagnostic(.pluginFault, "it failed"))
        await client.reported(.pluginFault, count: 1)
        #expect(errors.withLock { $0.count } == 1)
        #expect(client.diagnostics.all(.livePlugins).count == 1)
        await client.ended()
    }

    @Test("An error of a plugin reaches error handler and observers unchanged", arguments: [false, true])
    func reported(isFatal: Bool) async {
        let (errors, lines) = (LockBox<[any Error]>([]), LockBox<[String]>([]))
        let (analytics, seen) = await withCheckedContinuation { continuation in
            let configuration = Configuration(writeKey: "KEY").storageMode(.memory(10)).transport(TestServer())
                .migration(.off).logger(Logger(label: "test") { _ in Keeper(lines) })
                .errorHandler { error in errors.withLock { $0.append(error) } }
            let analytics = Analytics(configuration: configuration)
            analytics.observeDiagnostics { diagnostic in
                if diagnostic.kind == .reported { continuation.resume(returning: (analytics, diagnostic)) }
            }
            analytics.reportInternalError(Refusal(), fatal: isFatal)
        }
        #expect(seen.message == "the service refused")
        #expect(errors.withLock { $0 }.contains { $0 is Refusal })
        #expect(lines.withLock { $0 } == ["\(isFatal ? "error" : "warning"): reported: the service refused"])
        analytics.shutdown()
    }
}
