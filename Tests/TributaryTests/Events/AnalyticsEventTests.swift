import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Typed events")
struct AnalyticsEventTests {
    private struct SongPlayed: AnalyticsEvent {
        static let name = "Song Played"
        let title: String
        let seconds: Double
        var album: String?
    }

    @Test("Typed events become track events with their members as properties")
    func track() async {
        let client = Client()
        client.analytics.track(SongPlayed(title: "Blue", seconds: 181.5))
        let closure: EnrichmentClosure = { event in
            var event = event
            event?.json["context"] = ["more": true]
            return event
        }
        client.analytics.track(SongPlayed(title: "Red", seconds: 1, album: "Colours"), enrichments: [closure])
        #expect(await client.flushed() == .sent)
        let sent = client.server.events
        #expect(sent.map { $0["event"] } == ["Song Played", "Song Played"])
        #expect(sent.first?["properties"] == ["title": "Blue", "seconds": 181.5])
        #expect(sent.last?["properties"] == ["title": "Red", "seconds": 1, "album": "Colours"])
        #expect(sent.last?["context"]?["more"] == true)
        await client.ended()
    }
}
