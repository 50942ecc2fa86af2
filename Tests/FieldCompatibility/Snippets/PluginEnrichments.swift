import TestSupport
import Testing
import Tributary

/// Leaves a part of its work for when all enrichment plugins have seen the event.
private final class Tagger: EventPlugin {
    let type: PluginType
    weak var analytics: Analytics?

    init(_ type: PluginType) { self.type = type }

    func track(event: TrackEvent) -> TrackEvent? {
        var event = event
        let type = type
        event.enrichments =
            (event.enrichments ?? []) + [
                { event in
                    guard var track = event as? TrackEvent else { return event }
                    let seen = track.properties?["seen"]?.stringValue ?? ""
                    track.properties = ["seen": .string("\(seen) closure of \(type)")]
                    return track.event == "Secret" ? nil : track
                }
            ]
        return event
    }
}

/// Changes the event after that.
private final class Last: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func track(event: TrackEvent) -> TrackEvent? {
        var event = event
        event.properties = ["seen": "plugin"]
        return event
    }
}

@Suite("A plugin that gives an event closures of its own")
struct PluginEnrichmentsSnippet {
    @Test("Enrichments of a plugin's event run after enrichment plugins and closures of the call; nil drops it")
    func run() async {
        let client = Client()
        for plugin in [Tagger(.before), Tagger(.enrichment)] { client.analytics.add(plugin: plugin) }
        client.analytics.add(plugin: Last())
        client.analytics.track(
            name: "A",
            enrichments: [
                { event in
                    guard var track = event as? TrackEvent else { return event }
                    track.properties = ["seen": "plugin call"]
                    return track
                }
            ])
        client.analytics.track(name: "Secret")
        _ = await client.flushed()
        let expected: JSON = ["seen": "plugin call closure of before closure of enrichment"]
        #expect(client.server.events.map { $0["properties"] } == [expected])
        #expect(client.server.events.first?["enrichments"] == nil)
    }

    @Test("Enrichments run for an event that a later plugin gave another type")
    func replaced() async {
        final class Renamer: Plugin {
            let type = PluginType.before
            weak var analytics: Analytics?

            func execute(event: BaseEvent) -> BaseEvent? {
                guard let screen = event as? ScreenEvent else { return event }
                var track = TrackEvent(event: "Screen \(screen.name ?? "")", properties: nil, existing: screen)
                track.enrichments = [
                    { event in
                        guard var track = event as? TrackEvent else { return event }
                        track.properties = ["isTrack": true]
                        return track
                    }
                ]
                return track
            }
        }
        let client = Client()
        client.analytics.add(plugin: Renamer())
        client.analytics.screen(title: "Home")
        _ = await client.flushed()
        #expect(client.server.events.map { $0["properties"] } == [["isTrack": true]])
    }
}
