import Dispatch
import TestSupport
import Testing
import Tributary

@Suite("SegmentDestination by its type")
struct ServerDestinationSnippet {
    @Test("A server destination reports its version, and leaves the flush group after it has sent")
    func flush() async {
        let client = Client { $0.flushPolicies([]) }
        #expect(SegmentDestination.version() == Analytics.version())
        client.analytics.track(name: "A")
        await client.processed()
        let destination = client.analytics.find(pluginType: SegmentDestination.self)
        #expect(destination?.key == "Segment.io")
        let group = DispatchGroup()
        destination?.flush(group: group)
        await withCheckedContinuation { done in
            destination?.flush(group: group) { destination in
                #expect(destination.key == "Segment.io")
            }
            group.notify(queue: .global()) { done.resume() }
        }
        #expect(client.server.names == ["A"])
    }
}
