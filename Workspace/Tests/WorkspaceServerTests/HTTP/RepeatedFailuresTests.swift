import Logging
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Repeated failures") struct RepeatedFailuresTests {
    @Test("A repeated failure is logged once a minute with its number")
    func once() {
        let lines = LogLines()
        let clock = TestClock()
        let failures = RepeatedFailures(now: { clock.now })
        for _ in 0..<1_000 { failures.log("full", kind: "disk", lines.logger, metadata: ["error": "ENOSPC"]) }
        failures.log("other", kind: "other", lines.logger, metadata: [:])
        #expect(lines.all == ["full error=ENOSPC", "other"])
        clock.advance(by: 59_999)
        failures.log("full", kind: "disk", lines.logger, metadata: [:])
        #expect(lines.all.count == 2)
        clock.advance(by: 1)
        failures.log("full", kind: "disk", lines.logger, metadata: [:])
        #expect(lines.all.last == "full since the last line=1000 more")
        // A clock that goes back must not keep the log quiet.
        clock.advance(by: -1_000_000)
        failures.log("full", kind: "disk", lines.logger, metadata: [:])
        #expect(lines.all.count == 4)
    }
}
