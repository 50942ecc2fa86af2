import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The forms of a plugin")
struct PluginFormsTests {
    final class Untyped: Plugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func execute(event: BaseEvent) -> BaseEvent? { event.marked("untyped") }
    }

    final class UntypedOptional: Plugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func execute(event: BaseEvent?) -> BaseEvent? { event?.marked("untyped optional") }
    }

    final class Generic: Plugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func execute<Event: RawEvent>(event: Event) -> Event? { event.marked("generic") }
    }

    final class GenericOptional: Plugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func execute<T: RawEvent>(event: T?) -> T? { event?.marked("generic optional") }
    }

    /// The untyped form beside functions for single types.
    final class UntypedEvents: EventPlugin {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        func execute(event: BaseEvent) -> BaseEvent? { event.marked("untyped events") }
        func track(event: TrackEvent) -> TrackEvent? { event.marked("function") }
    }

    @Test("All forms of execute are called, for every type of event")
    func forms() async {
        let client = Client()
        let plugins: [any Plugin] = [Untyped(), UntypedOptional(), Generic(), GenericOptional(), UntypedEvents()]
        for plugin in plugins { client.analytics.add(plugin: plugin) }
        client.analytics.trackAllTypes()
        await client.flushed()
        let marks: [JSON] = ["untyped", "untyped optional", "generic", "generic optional", "untyped events"]
        #expect(client.server.events.count == 5)
        for event in client.server.events {
            let expected = event["type"] == "track" ? marks + ["function"] : marks
            #expect(event["context"]?["marks"]?.elements == expected)
        }
    }

    @Test("All forms of execute are reached by a direct call")
    func directCalls() {
        var event = TrackEvent(event: "A", properties: nil)
        event.context = [:]
        let untyped: BaseEvent = event
        #expect(Generic().execute(event: event)?.context?["marks"] == ["generic"])
        #expect(GenericOptional().execute(event: Optional(event))?.context?["marks"] == ["generic optional"])
        #expect(Untyped().execute(event: untyped)?.context?["marks"] == ["untyped"])
        #expect(UntypedOptional().execute(event: Optional(untyped))?.context?["marks"] == ["untyped optional"])
        #expect(UntypedEvents().track(event: event)?.context?["marks"] == ["function"])
    }

    // Unchecked because the count is only read when the executor is done with what was asked of it.
    final class Updates: Plugin, @unchecked Sendable {
        let type = PluginType.utility
        weak var analytics: Analytics?
        private(set) var short = 0
        func update(settings: Settings) { short += 1 }
    }

    @Test("Plugins get settings in the short and the long form of update")
    func updates() async {
        let client = Client()
        let (short, long) = (Updates(), Recorder())
        client.analytics.add(plugin: short)
        client.analytics.add(plugin: long)
        await client.processed()
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        await client.processed()
        #expect(short.short == 2)
        #expect(long.updates == [.initial, .refresh])
    }

    final class Nameless: DestinationPlugin {
        let type = PluginType.destination
        let timeline = Timeline()
        weak var analytics: Analytics?
    }

    @Test("A plugin's name is its type's unless it has one, and a destination's key is its name unless it has one")
    func names() {
        #expect(Untyped().name == "Untyped")
        #expect(Nameless().key == "Nameless")
        #expect(TestDestination("Given").key == "Given")
    }

    // Unchecked because the lines are only read when the executor is done with what was asked of it.
    final class Log: UtilityPlugin, @unchecked Sendable {
        weak var analytics: Analytics?
        private(set) var lines: [String] = []
        func track(event: TrackEvent) -> TrackEvent? {
            lines.append("run by the timeline")
            return event
        }
        func log(_ line: String) { lines.append(line) }
    }

    @Test("Utility plugins can be found and applied, and get no events")
    func utility() async {
        let client = Client()
        client.analytics.add(plugin: Log())
        client.analytics.track(name: "A")
        await client.flushed()
        client.analytics.apply { ($0 as? Log)?.log("applied") }
        #expect(client.analytics.find(pluginType: Log.self)?.lines == ["applied"])
    }

    @Test("Plugins in destinations' timelines are found there, visited once, ended and removed")
    func insideDestinations() async {
        let client = Client()
        let destination = TestDestination("A")
        let (outer, early, late) = (Recorder(name: "outer"), Recorder(name: "early"), Recorder(name: "late"))
        destination.add(plugin: early)
        client.analytics.add(plugin: destination)
        client.analytics.manuallyEnableDestination(plugin: destination)
        client.analytics.add(plugin: outer)
        destination.add(plugin: late)
        #expect(client.analytics.find(pluginType: Recorder.self) === outer)
        #expect(client.analytics.findAll(pluginType: Recorder.self)?.map(\.name) == ["outer"])
        #expect(destination.findAll(pluginType: Recorder.self)?.map(\.name) == ["early", "late"])
        var visited: [String] = []
        client.analytics.apply { if $0 is Recorder { visited.append($0.name) } }
        #expect(visited == ["outer", "early", "late"])

        client.analytics.track(name: "X")
        await client.processed()
        #expect([outer, early, late].map(\.updates) == [[.initial], [.initial], [.initial]])
        client.analytics.remove(plugin: early)
        client.analytics.track(name: "Y")
        await client.processed()
        #expect([outer, early, late].map(\.seen.count) == [2, 1, 2])
        #expect(early.isShutDown && !late.isShutDown)
        client.analytics.remove(plugin: destination)
        await client.processed()
        #expect(late.isShutDown)
        #expect(client.analytics.findAll(pluginType: Recorder.self)?.count == 1)
    }

    @Test("A plugin that is added twice is there once, and is reported")
    func twice() async {
        let client = Client()
        let plugin = Recorder()
        client.analytics.add(plugin: plugin)
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        await client.processed()
        #expect(plugin.seen.count == 1)
        await client.reported(.configuration, count: 1)
    }
}

extension RawEvent {
    fileprivate func marked(_ mark: String) -> Self {
        var event = self
        let marks = event.context?["marks"]?.elements ?? []
        event.context?["marks"] = .array(marks + [.string(mark)])
        return event
    }
}
