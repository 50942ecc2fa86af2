import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Timeline and plugins")
struct TimelineTests {
    @Test("Plugins run in the order of their types, and plugins of one type in the order in which they were added")
    func order() async {
        let client = Client()
        for (type, name) in [
            (PluginType.after, "after"), (.enrichment, "first"), (.before, "before"), (.enrichment, "second"),
            (.utility, "utility"),
        ] {
            client.analytics.add(
                plugin: Recorder(type, name: name) { event in
                    var event = event
                    let path = event.context?["path"]?.elements ?? []
                    event.context?["path"] = .array(path + [.string(name)])
                    return event
                })
        }
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.events.first?["context"]?["path"] == ["before", "first", "second"])
    }

    @Test("The documented plugin adds to the context of all five types of events")
    func documentedPlugin() async {
        final class SomePlugin: Plugin {
            let type: PluginType = .enrichment
            let name: String
            weak var analytics: Analytics?
            init(name: String) { self.name = name }
            func execute(event: BaseEvent) -> BaseEvent? {
                var workingEvent = event
                if var context = workingEvent.context?.dictionaryValue {
                    context[keyPath: "foo.bar"] = 12
                    workingEvent.context = try? JSON(context)
                }
                return workingEvent
            }
        }
        let client = Client()
        client.analytics.add(plugin: SomePlugin(name: "SomePlugin"))
        client.analytics.trackAllTypes()
        await client.flushed()
        #expect(client.server.events.count == 5)
        for event in client.server.events {
            #expect(event["context"]?["foo"]?["bar"] == 12)
            #expect(event["context"]?["library"]?["name"] == "tributary")
        }
    }

    @Test("An EventPlugin sees the types that it implements")
    func eventPlugin() async {
        final class SomePlugin: EventPlugin {
            let type: PluginType = .enrichment
            let name: String
            weak var analytics: Analytics?
            init(name: String) { self.name = name }
            func identify(event: IdentifyEvent) -> IdentifyEvent? {
                var event = event
                event.traits?["seen"] = true
                return event
            }
            func track(event: TrackEvent) -> TrackEvent? { nil }
        }
        let client = Client()
        client.analytics.add(plugin: SomePlugin(name: "SomePlugin"))
        client.analytics.trackAllTypes()
        await client.flushed()
        #expect(client.server.events.map { $0["type"] } == ["identify", "screen", "group", "alias"])
        #expect(client.server.events.first?["traits"]?["seen"] == true)
        #expect(
            client.analytics.counters.droppedByPlugin == [.init(by: "SomePlugin", destination: nil): 1])
    }

    @Test("A plugin of the generic form is called and keeps the event's type")
    func genericForm() async {
        final class Generic: Plugin {
            let type = PluginType.before
            weak var analytics: Analytics?
            func execute<Event: RawEvent>(event: Event?) -> Event? {
                var event = event
                event?.context = ["generic": .string(Event.typeName)]
                return event
            }
        }
        let client = Client()
        client.analytics.add(plugin: Generic())
        client.analytics.trackAllTypes()
        await client.flushed()
        #expect(
            client.server.events.map { $0["context"]?["generic"] }
                == ["track", "identify", "screen", "group", "alias"])
        #expect(client.analytics.find(pluginType: Generic.self)?.name == "Generic")
    }

    @Test("A plugin can be found, gets its first settings once, and sees no event after its removal")
    func life() async {
        let client = Client()
        let plugin = Recorder()
        client.analytics.add(plugin: plugin)
        #expect(client.analytics.find(pluginType: Recorder.self) === plugin)
        #expect(plugin.analytics === client.analytics)
        client.analytics.track(name: "A")
        await client.processed()
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        client.analytics.track(name: "B")
        await client.processed()
        client.analytics.remove(plugin: plugin)
        client.analytics.track(name: "C")
        await client.processed()
        #expect(plugin.seen.count == 2)
        #expect(plugin.updates == [.initial, .refresh])
        #expect(plugin.isShutDown)
        #expect(client.analytics.find(pluginType: Recorder.self) == nil)
    }

    @Test("A plugin is shut down between two events and released")
    func removal() async {
        let client = Client()
        let destination = TestDestination("Manual")
        client.analytics.add(plugin: destination)
        client.analytics.manuallyEnableDestination(plugin: destination)
        let wasShutDownInside = LockBox<[Bool]>([])
        let plugin = Recorder(.enrichment, name: "Leaving") { event in event }
        let leaver = Recorder(.before) { [weak plugin, weak analytics = client.analytics] event in
            if let plugin { analytics?.remove(plugin: plugin) }
            wasShutDownInside.withLock { $0.append(plugin?.isShutDown ?? true) }
            return event
        }
        client.analytics.add(plugin: leaver)
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        await client.processed()
        await client.executed()
        #expect(wasShutDownInside.withLock { $0 } == [false])
        #expect(plugin.isShutDown)

        client.analytics.remove(plugin: destination)
        client.analytics.add(plugin: destination)  // the same address, but nothing was said of it this time
        client.analytics.track(name: "B")
        await client.processed()
        #expect(destination.received.compactMap { ($0 as? TrackEvent)?.event } == ["A"])
    }

    @Test("A plugin that is added later gets the settings first, then later events only")
    func lateComer() async {
        let client = Client()
        client.analytics.track(name: "A")
        await client.processed()
        let plugin = Recorder()
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "B")
        await client.processed()
        #expect(plugin.updates == [.initial])
        #expect(plugin.seen.compactMap { $0 as? TrackEvent }.map(\.event) == ["B"])
    }

    @Test("A plugin that is added during processing sees all events that are tracked from then on")
    func addedMeanwhile() async {
        let client = Client()
        await client.processed()
        for round in 0..<20 {
            var recorders: [Recorder] = []
            for number in 0..<20 {
                client.analytics.track(name: "\(round) before \(number)")
                let recorder = Recorder()
                recorders.append(recorder)
                client.analytics.add(plugin: recorder)
                client.analytics.track(name: "\(round) after \(number)")
            }
            await client.processed()
            for (number, recorder) in recorders.enumerated() {
                let seen = Set(recorder.seen.compactMap { ($0 as? TrackEvent)?.event })
                let isComplete = (number..<20).allSatisfy { seen.contains("\(round) after \($0)") }
                #expect(isComplete)
                client.analytics.remove(plugin: recorder)
            }
        }
    }

    @Test("Plugins may track from every callback, and a replay makes the same ids")
    func trackingPlugins() async {
        final class Echo: Plugin {
            let type = PluginType.enrichment
            weak var analytics: Analytics?
            func configure(analytics: Analytics) {
                self.analytics = analytics
                analytics.track(name: "Configured")
            }
            func update(settings: Settings) { analytics?.track(name: "Updated") }
            func execute(event: BaseEvent) -> BaseEvent? {
                if let track = event as? TrackEvent, track.event == "A" {
                    analytics?.track(name: "Echo")
                    analytics?.track(name: "Echo again")
                }
                return event
            }
        }
        let client = Client()
        client.analytics.add(plugin: Echo())
        client.analytics.track(name: "A")
        await client.flushed()
        await client.flushed()
        #expect(Set(client.server.names) == ["Configured", "Updated", "A", "Echo", "Echo again"])
        #expect(client.server.names.count == 5)
        func id(_ name: String) -> String? {
            client.server.events.first { $0["event"]?.stringValue == name }?["messageId"]?.stringValue
        }
        #expect(id("Echo") == id("A").map { "\($0)-1" })
        #expect(id("Echo again") == id("A").map { "\($0)-2" })
    }

    @Test("Closures of a call change or drop only its event")
    func closures() async {
        let client = Client()
        client.analytics.track(
            name: "Changed", properties: nil as [String: Any]?,
            enrichments: [
                { event in
                    var event = event
                    event?.context = ["by": "closure"]
                    return event
                }
            ])
        client.analytics.track(name: "Dropped", properties: nil as [String: Any]?, enrichments: [{ _ in nil }])
        client.analytics.track(name: "Plain")
        await client.flushed()
        #expect(client.server.names == ["Changed", "Plain"])
        #expect(client.server.events.first?["context"]?["by"] == "closure")
    }
}
