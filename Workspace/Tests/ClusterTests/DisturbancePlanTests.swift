import Testing

@testable import ClusterTestKit

@Suite("The plan of a cluster's disturbances") struct DisturbancePlanTests {
    private let servers: [Disturbance.Part: Int] = [.node: 3, .nats: 3, .store: 3, .zooKeeper: 1, .machine: 3]

    private func plan(seed: UInt64, seconds: Double = 600) -> DisturbancePlan {
        DisturbancePlan(seed: seed, seconds: seconds, kinds: DisturbancePlan.all, servers: servers)
    }

    @Test("The same seed gives the same plan, and another seed another one") func seeds() {
        #expect(plan(seed: 1) == plan(seed: 1))
        #expect(plan(seed: 1) != plan(seed: 2))
    }

    @Test("Three minutes have every kind", arguments: 0..<50 as Range<UInt64>) func kinds(seed: UInt64) {
        #expect(Set(plan(seed: seed, seconds: 180).disturbances.map(\.kind)) == Set(DisturbancePlan.all))
    }

    @Test("No process is disturbed twice at a time", arguments: 0..<50 as Range<UInt64>) func alone(seed: UInt64) {
        var until: [Disturbance.Target: Int] = [:]
        for disturbance in plan(seed: seed).disturbances {
            for target in Disturbance.targets(of: disturbance.kind, on: disturbance.server, servers) {
                #expect(until[target] ?? 0 <= disturbance.at, "\(disturbance)")
                until[target] = disturbance.end
            }
        }
    }

    @Test("A longer pause leaves the time for a takeover between two deaths", arguments: 0..<50 as Range<UInt64>)
    func pause(seed: UInt64) {
        let kills = DisturbancePlan(
            seed: seed, seconds: 120, kinds: DisturbancePlan.onlyNodes, servers: servers, pause: 10_000
        ).disturbances
        #expect(kills.count >= 8)
        for (first, second) in zip(kills, kills.dropFirst()) { #expect(second.at - first.end >= 10_000) }
    }

    @Test("Between two cuts servers have time to find one another", arguments: 0..<50 as Range<UInt64>)
    func rest(seed: UInt64) {
        let cuts = plan(seed: seed).disturbances.filter { $0.kind == .cut(.machine) }
        #expect(cuts.count > 2)
        for (first, second) in zip(cuts, cuts.dropFirst()) {
            #expect(second.at - first.end >= DisturbancePlan.rest)
        }
    }

    @Test("While a machine is cut off, its processes, the log and the node of the next machine run undisturbed")
    func machines() {
        let targets = Disturbance.targets(of: .cut(.machine), on: 1, servers)
        let all = (0..<3).flatMap { [Disturbance.Target(.machine, $0), Disturbance.Target(.nats, $0)] }
        #expect(Set(targets) == Set(all + [.init(.node, 1), .init(.node, 2), .init(.store, 1)]))
        #expect(Disturbance.targets(of: .cut(.machine), on: 2, servers).contains(.init(.node, 0)))
        #expect(Disturbance.targets(of: .separate, on: 1, servers) == (0..<3).map { .init(.machine, $0) })
        #expect(Disturbance.targets(of: .killAllLogs, on: 0, servers) == (0..<3).map { .init(.nats, $0) })
        #expect(Disturbance.targets(of: .stop(.store), on: 2, servers) == [.init(.store, 2)])
    }

    @Test("Disturbances begin in order and before the end, and stops last longer than a takeover waits")
    func times() throws {
        let found = plan(seed: 7).disturbances
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.at < $1.at })
        #expect(try #require(found.last).at < 600_000)
        #expect(try #require(found.first).at >= 2_000)
        for disturbance in found {
            switch disturbance.kind {
            case .stop: #expect(disturbance.lasts >= 6_000)
            case .cut(.machine), .separate: #expect(disturbance.lasts >= 20_000)
            default: break
            }
        }
    }

    @Test("Only the disk of the first server is filled, and a sort without a server is left alone") func parts() {
        for disturbance in plan(seed: 3).disturbances {
            if case .fill = disturbance.kind { #expect(disturbance.server == 0) }
        }
        let few = DisturbancePlan(seed: 3, seconds: 600, kinds: DisturbancePlan.all, servers: [.store: 2])
        #expect(!few.disturbances.isEmpty)
        #expect(few.disturbances.allSatisfy { $0.kind.part == .store && $0.server < 2 })
        #expect(DisturbancePlan(seed: 3, seconds: 600, kinds: [], servers: servers).disturbances.isEmpty)
    }

    @Test("Kinds are counted, and all logs at once are three processes") func counts() {
        let kinds: [Disturbance.Kind] = [
            .kill(.node), .kill(.node), .kill(.nats), .killAllLogs, .stop(.store), .fill(.nats),
            .cut(.machine), .separate,
        ]
        let count = DisturbanceCount(kinds.map { Disturbance(kind: $0, server: 0, at: 0, lasts: 1) })
        #expect(count.kills == 6)
        #expect(
            count.summary
                == "kills: node 2, nats 1; all logs at once 1; stops: store 1; full disks: nats 1; cut off: machine 1; "
                + "two machines separated 1")
        #expect(DisturbanceCount([]).summary == "nothing was done")
    }
}

@Suite("The ids of events that tests send") struct SentEventTests {
    @Test("An id says which event it is") func roundTrip() {
        for event in [
            SentEvent(device: 0, batch: 0, index: 0), SentEvent(device: 65_535, batch: 16_777_215, index: 255),
            SentEvent(device: 39, batch: 1_234, index: 19),
        ] {
            #expect(SentEvent(messageId: event.messageId(seed: 5)[...]) == event)
        }
    }

    @Test("An id has the form of a UUID of version 4, and another seed gives another one") func form() throws {
        let event = SentEvent(device: 1, batch: 2, index: 3)
        let id = event.messageId(seed: 5)
        #expect(
            id.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil, "\(id)")
        #expect(id != event.messageId(seed: 6))
        #expect(id == event.messageId(seed: 5))
    }

    @Test(
        "Another text is no such id", arguments: ["", "1-2-3", "0000000000A1", "01234567-89AB-4DEF-8123-00000000000G"])
    func refused(text: String) { #expect(SentEvent(messageId: text[...]) == nil) }
}
