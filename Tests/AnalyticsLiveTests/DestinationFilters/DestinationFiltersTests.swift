import AnalyticsLive
import TestSupport
import Testing
import Tributary

@Suite("Destination filters on the device")
struct DestinationFiltersTests {
    private func settings(_ rules: JSON) -> JSON {
        ["integrations": ["A": true, "B": true], "middlewareSettings": ["routingRules": rules]]
    }

    private func rule(_ destination: String, _ ir: String, _ transformer: JSON, name: String? = nil) -> JSON {
        var rule: JSON = [
            "destinationName": .string(destination), "scope": "destinations",
            "matchers": [["type": "fql", "ir": .string(ir)]], "transformers": [[transformer]],
        ]
        rule["name"] = name.map(JSON.string)
        return rule
    }

    private func set(_ path: String) -> JSON {
        var map = JSONObject()
        map[path] = ["set": true]
        return ["type": "map_properties", "config": ["map": .object(map)]]
    }

    private func client(_ rules: JSON) -> Client {
        let server = TestServer()
        server.answerSettings(settings(rules))
        return Client(server: server)
    }

    @Test("A rule decides which events a device-mode destination gets, also a destination that is added later")
    func deviceMode() async {
        let client = client([rule("A", #"["=","event",{"value":"Hidden"}]"#, ["type": "drop"], name: "hide")])
        let filters = DestinationFilters()
        client.analytics.add(plugin: filters)
        let b = TestDestination("B")
        client.analytics.add(plugin: b)
        await client.processed()
        let a = TestDestination("A")
        client.analytics.add(plugin: a)
        client.analytics.track(name: "Hidden")
        client.analytics.track(name: "Shown")
        await client.flushed()
        #expect(a.received.compactMap { ($0 as? TrackEvent)?.event } == ["Shown"])
        #expect(b.received.count == 2)
        #expect(client.server.names == ["Hidden", "Shown"])
        #expect(client.analytics.counters.droppedByFilter == [.init(by: "hide", destination: "A"): 1])
    }

    @Test("The cloud destination is filtered by its name, and only its copy is changed")
    func cloud() async {
        let client = client([
            rule("Segment.io", #"["=","event",{"value":"Noise"}]"#, ["type": "drop"]),
            [
                "destinationName": "Segment.io", "matchers": [["type": "all"]],
                "transformers": [[["type": "drop_properties", "config": ["drop": ["properties": ["secret"]]]]]],
            ],
        ])
        client.analytics.add(plugin: DestinationFilters())
        let a = TestDestination("A")
        client.analytics.add(plugin: a)
        client.analytics.track(name: "Noise")
        client.analytics.track(name: "Order", properties: ["secret": "x", "total": 7])
        await client.flushed()
        #expect(client.server.names == ["Order"])
        #expect(client.server.events.first?["properties"] == ["total": 7])
        #expect(a.received.count == 2)
        #expect((a.received.last as? TrackEvent)?.properties == ["secret": "x", "total": 7])
        #expect(client.analytics.counters.droppedByFilter == [.init(by: "rule 0", destination: "Segment.io"): 1])
        #expect(client.analytics.counters.changedByFilter == [.init(by: "rule 1", destination: "Segment.io"): 1])
    }

    @Test("The changes of each rule are counted, also when a later rule drops the event")
    func changes() async {
        let client = client([
            rule("A", #"["=","event",{"value":"X"}]"#, set("context.first"), name: "first"),
            rule("A", #"["=","properties.last",{"value":true}]"#, ["type": "drop"], name: "last"),
            rule("A", #"["=","event",{"value":"X"}]"#, set("context.second")),
        ])
        client.analytics.add(plugin: DestinationFilters())
        let a = TestDestination("A")
        client.analytics.add(plugin: a)
        client.analytics.track(name: "X")
        client.analytics.track(name: "X", properties: ["last": true])
        client.analytics.track(name: "Y")
        await client.flushed()
        #expect(a.received.count == 2)
        let counters = client.analytics.counters
        #expect(
            counters.changedByFilter
                == [.init(by: "first", destination: "A"): 2, .init(by: "rule 2", destination: "A"): 1])
        #expect(counters.droppedByFilter == [.init(by: "last", destination: "A"): 1])
    }

    @Test("A rule that cannot do its work on events is reported once")
    func failing() async {
        let client = client([
            rule("Segment.io", #"["=","event",{"value":"X"}]"#, set("properties.none.x")),
            rule("Segment.io", #"["in",{"value":1},"properties.list"]"#, set("context.y")),
        ])
        client.analytics.add(plugin: DestinationFilters())
        for _ in 0..<3 { client.analytics.track(name: "X", properties: ["none": JSON.null]) }
        await client.flushed()
        #expect(client.server.names == ["X", "X", "X"])
        await client.reported(.filters, count: 2)
        #expect(
            client.diagnostics.all(.filters).map { $0.message.prefix(15) } == ["routingRules[0]", "routingRules[1]"])
    }

    @Test("A problem that new settings still have is not reported again; a new problem is reported")
    func sameProblemAgain() async {
        let bad = rule("Segment.io", "not FQL", ["type": "drop_properties", "config": ["drop": ["": ["secret"]]]])
        let client = client([bad])
        client.analytics.add(plugin: DestinationFilters())
        client.analytics.track(name: "X")
        await client.flushed()
        for rules: JSON in [
            [bad], [bad, rule("A", "true", ["type": "drop"])], [bad, rule("A", "[]", ["type": "drop"])],
        ] {
            client.server.answerSettings(settings(rules))
            await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        }
        client.analytics.track(name: "Y")
        await client.flushed()
        await client.reported(.filters, count: 2)
        #expect(client.diagnostics.all(.filters).map(\.destination) == ["Segment.io", "A"])
        #expect(client.server.names == ["X", "Y"])
    }

    @Test("New settings replace the rules while events flow")
    func refresh() async {
        let client = client([rule("Segment.io", #"["=","event",{"value":"X"}]"#, ["type": "drop"])])
        client.analytics.add(plugin: DestinationFilters())
        client.analytics.track(name: "X")
        await client.flushed()
        client.server.answerSettings(settings([]))
        await withCheckedContinuation { done in client.analytics.refreshSettings { done.resume() } }
        client.analytics.track(name: "X")
        await client.flushed()
        #expect(client.server.names == ["X"])
    }

    @Test("A rule that cannot be understood is reported once and drops the events that it was meant to drop")
    func broken() async {
        let client = client([rule("Segment.io", "not FQL", ["type": "drop"])])
        client.analytics.add(plugin: DestinationFilters())
        client.analytics.track(name: "X")
        client.analytics.track(name: "Y")
        await client.flushed()
        #expect(client.server.events.isEmpty)
        await client.reported(.filters, count: 1)
        #expect(client.diagnostics.all(.filters).count == 1)
    }

    @Test("The trace has the changes of a filter")
    func trace() async throws {
        let server = TestServer()
        server.answerSettings(settings([rule("Segment.io", #"["=","event",{"value":"X"}]"#, ["type": "drop"])]))
        let client = Client(server: server) { $0.inspector(true) }
        client.analytics.add(plugin: DestinationFilters())
        client.analytics.track(name: "X")
        await client.flushed()
        let trace = try #require(server.traces.first)
        #expect(
            trace["droppedBy"] == ["stage": "filter", "plugin": "DestinationFilters", "destination": "Segment.io"])
        #expect(trace["stages"]?.elements?.last?["note"] == "rule 0")
    }
}
