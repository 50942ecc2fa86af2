import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Sampling")
struct EventSamplingTests {
    private func passes(_ sampling: EventSampling, anonymousId: String, name: String = "E") -> Bool {
        var event = TrackEvent(event: name, properties: nil)
        event.anonymousId = anonymousId
        return sampling.track(event: event) != nil
    }

    @Test("All events of an anonymous id are in or out of a sample, on every device alike")
    func deterministic() {
        let ids = (0..<10_000).map { "user-\($0)" }
        let first = ids.filter { passes(EventSampling(rate: 0.2), anonymousId: $0) }
        #expect((1800...2200).contains(first.count))
        #expect(first == ids.filter { passes(EventSampling(rate: 0.2), anonymousId: $0, name: "Other") })
        let more = ids.filter { passes(EventSampling(rate: 0.5), anonymousId: $0) }
        #expect(Set(more).isSuperset(of: first))
        let salted = ids.filter { passes(EventSampling(rate: 0.2, salt: "b"), anonymousId: $0) }
        #expect((1800...2200).contains(salted.count))
        #expect(Set(salted).intersection(first).count < 600)
    }

    @Test("The distribution of samples is a golden value, so users stay chosen")
    func golden() {
        #expect(EventSampling.fraction(of: "") == 0.93676944839044)
        #expect(EventSampling.fraction(of: "a") == 0.5102945176565711)
    }

    @Test("Rates out of range are clamped", arguments: [(-1.0, 0), (0, 0), (1, 100), (2, 100), (.nan, 100)])
    func ends(rate: Double, count: Int) {
        #expect((0..<100).filter { passes(EventSampling(rate: rate), anonymousId: "\($0)") }.count == count)
    }

    @Test(
        "Random sampling drops only the named events, and dropped events are counted",
        arguments: [(0.49, ["A", "B", "A"], nil), (0.5, ["B"], 2)] as [(Double, [String], Int?)])
    func random(number: Double, passing: [String], dropped: Int?) async {
        let client = Client { $0.identifiers(Identifiers(random: { number })) }
        client.analytics.add(plugin: EventSampling(rate: 0.5, by: .random, names: ["A"]))
        for name in ["A", "B", "A"] { client.analytics.track(name: name) }
        client.analytics.identify(userId: "u")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == passing)
        #expect(client.server.events.last?["type"] == "identify")
        #expect(
            client.analytics.counters.droppedByPlugin[.init(by: "EventSampling", destination: nil)] == dropped)
        await client.ended()
    }
}
