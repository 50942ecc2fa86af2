import Foundation
import TestSupport
import Testing
import Tributary

@Suite("Answers that code of the field expects to be optional")
struct OptionalAnswersSnippet {
    @Test("pendingUploads is nil when nothing waits on disk")
    func pending() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.flushPolicies([]) }
        await client.processed()
        #expect(client.analytics.pendingUploads == nil)
        client.analytics.track(name: "A")
        await client.processed()
        #expect((client.analytics.pendingUploads?.count ?? 0) > 0)
        _ = await client.flushed()
        #expect(client.analytics.pendingUploads == nil)
        await client.ended()
    }

    @Test("findAll gives an optional list")
    func findAll() {
        let client = Client()
        client.analytics.add(plugin: Recorder())
        client.analytics.add(plugin: Recorder())
        if let found = client.analytics.findAll(pluginType: Recorder.self) {
            #expect(found.count == 2)
        }
        let destination = client.analytics.find(pluginType: SegmentDestination.self)
        #expect(destination?.findAll(pluginType: Recorder.self)?.isEmpty == true)
    }
}
