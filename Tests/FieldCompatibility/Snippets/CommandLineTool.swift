import TestSupport
import Testing
import Tributary

@Suite("A command-line tool that tracks, flushes and ends")
struct CommandLineToolSnippet {
    @Test("A command line tool in synchronous mode has delivered when flush() returns")
    func delivers() {
        let server = TestServer()
        let configuration = Configuration(writeKey: "KEY")
            .operatingMode(.synchronous).apiHost("http://server.test/v1").cdnHost("http://server.test/v1")
            .transport(server).gzip(false).storageMode(.memory(1000)).migration(.off)
        let analytics = Analytics(configuration: configuration)
        analytics.identify(userId: "u-1")
        analytics.track(name: "Command Run", properties: ["command": "build"])
        analytics.flush()
        #expect(server.names == ["Command Run"])
        #expect(server.events.count == 2)
        #expect(!analytics.hasUnsentEvents)
    }

    @Test("In synchronous mode the completion of flush is called before flush returns")
    func completion() {
        let client = Client { $0.operatingMode(.synchronous).timeSource(SystemTimeSource()) }
        client.analytics.track(name: "A")
        let lines = Lines()
        client.analytics.flush { lines.add("sent") }
        lines.add("next")
        #expect(lines.all == ["sent", "next"])
    }
}

/// Unchecked because only this thread adds to it.
private final class Lines: @unchecked Sendable {
    private(set) var all: [String] = []
    func add(_ line: String) { all.append(line) }
}
