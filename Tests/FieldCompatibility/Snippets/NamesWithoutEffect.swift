import Foundation
import TestSupport
import Testing
import Tributary

/// Names without a meaning here are deprecated, so their use gives a warning; these calls are behind a protocol, which
/// does not warn.
private protocol Older {
    func switches() -> Bool
    func isRunning(_ analytics: Analytics) -> Bool
    func purge(_ analytics: Analytics, _ url: URL)
}

private struct App: Older {
    @available(*, deprecated)
    func switches() -> Bool {
        Telemetry.shared.enable = true
        Telemetry.shared.sendWriteKeyOnError = false
        Telemetry.shared.sendErrorLogData = false
        Telemetry.shared.errorHandler = { _ in }
        return Telemetry.shared.enable
    }

    @available(*, deprecated)
    func isRunning(_ analytics: Analytics) -> Bool {
        let queue = analytics.find(pluginType: StartupQueue.self) ?? StartupQueue()
        queue.analytics = analytics
        return queue.running
    }

    @available(*, deprecated)
    func purge(_ analytics: Analytics, _ url: URL) { analytics.purgeStorage(fileURL: url) }
}

@Suite("Names of the field that have nothing to do here")
struct NamesWithoutEffectSnippet {
    private let app: any Older = App()

    @Test("Telemetry stays off whatever an app sets")
    func telemetry() { #expect(!app.switches()) }

    @Test("The start-up queue runs when settings are known")
    func startup() async {
        let client = Client()
        await client.processed()
        #expect(app.isRunning(client.analytics))
    }

    @Test("remove for one file of events deletes nothing and reports why")
    func purge() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.flushPolicies([]) }
        client.analytics.track(name: "A")
        await client.processed()
        let file = try #require(client.analytics.pendingUploads?.first)
        app.purge(client.analytics, file)
        #expect(FileManager.default.fileExists(atPath: file.path))
        await client.reported(text: "was not deleted")
        _ = await client.flushed()
        #expect(client.server.names == ["A"])
        await client.ended()
    }
}
