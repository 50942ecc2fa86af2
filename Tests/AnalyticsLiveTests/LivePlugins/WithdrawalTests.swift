import Logging
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

/// Live plugins that are switched off while one of them is running.
@Suite("Withdrawal") struct WithdrawalTests {
    @Test(
        "A running script is stopped when the settings name no bundle any more, and its event continues",
        arguments: [JSON.null, ["version": 2, "downloadURL": ""]])
    func switchedOff(function: JSON) async {
        let (lines, write) = AsyncStream.makeStream(of: String.self)
        let script = """
            class Busy extends LivePlugin {
                track(event) { console.log("running"); for (;;) ; }
            }
            analytics.add(new Busy(LivePluginType.enrichment))
            """
        let client = Deployment.client(
            script, plugin: LivePlugins(fallbackFileURL: nil, budget: LivePluginBudget(eventSeconds: 600))
        ) { _ = $0.logger(Logger(label: "test") { _ in LineHandler { write.yield($0) } }) }
        client.analytics.track(name: "A")
        client.begin()
        for await line in lines where line == "running" { break }
        client.server.answerSettings(["integrations": ["Amplitude": true], "edgeFunction": function])
        await client.refreshed()
        await client.flushed()
        #expect(client.server.names == ["A"])
        await client.reported(text: "the scripts were withdrawn")
        await client.ended()
    }
}

/// Passes each line of a log on.
private struct LineHandler: LogHandler {
    let write: @Sendable (String) -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { write("\(event.message)") }
}
