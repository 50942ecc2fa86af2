import Logging
import Synchronization
import Testing

@testable import WorkspaceServer

@Suite("Repeated failures") struct RepeatedFailuresTests {
    @Test("A repeated failure is logged once a minute with its number")
    func once() {
        let lines = Lines()
        let clock = TestClock()
        let failures = RepeatedFailures(now: { clock.now })
        let logger = Logger(label: "test") { _ in lines }
        for _ in 0..<1_000 { failures.log("full", kind: "disk", logger, metadata: ["error": "ENOSPC"]) }
        failures.log("other", kind: "other", logger, metadata: [:])
        #expect(lines.all == ["full error=ENOSPC", "other"])
        clock.advance(by: 59_999)
        failures.log("full", kind: "disk", logger, metadata: [:])
        #expect(lines.all.count == 2)
        clock.advance(by: 1)
        failures.log("full", kind: "disk", logger, metadata: [:])
        #expect(lines.all.last == "full since the last line=1000 more")
        // A clock that goes back must not keep the log quiet.
        clock.advance(by: -1_000_000)
        failures.log("full", kind: "disk", logger, metadata: [:])
        #expect(lines.all.count == 4)
    }

    private final class Lines: LogHandler {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }
        subscript(metadataKey _: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            let parts = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.withLock { $0.append((["\(event.message)"] + parts).joined(separator: " ")) }
        }
    }
}
