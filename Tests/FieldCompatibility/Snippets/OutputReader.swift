import TestSupport
import Testing
import Tributary

/// Keeps the last event, as the tests of the field do.
private final class OutputReader: Plugin {
    let type = PluginType.after
    weak var analytics: Analytics?
    var lastEvent: (any RawEvent)?

    func execute<T: RawEvent>(event: T?) -> T? {
        lastEvent = event
        return event
    }
}

@Suite("An after plugin of a client in synchronous mode")
struct OutputReaderSnippet {
    @Test("In synchronous mode an output reader has seen the event when the call returns")
    func seen() async {
        let client = Client(settings: ["integrations": ["D": true]]) { $0.operatingMode(.synchronous) }
        let (reader, destination) = (OutputReader(), TestDestination("D"))
        client.analytics.add(plugin: reader)
        client.analytics.add(plugin: destination)
        client.begin()
        client.analytics.waitUntilStarted()
        client.analytics.track(name: "A", properties: ["n": 1])
        let track = reader.lastEvent as? TrackEvent
        #expect(track?.event == "A" && track?.properties?["n"] == 1)
        #expect(destination.received.count == 1)
        client.analytics.identify(userId: "u")
        #expect((reader.lastEvent as? IdentifyEvent)?.userId == "u")
    }
}
