import Foundation
import Testing
import TributaryJSON

@testable import Demo

/// No tracked event is lost when the app dies, at any place of its run.
@Suite(.serialized, .timeLimit(.minutes(30))) struct KillTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    /// The workspace has each event of the ledger once; it may have one event whose call had not returned.
    private func expectEverythingArrived(_ client: WorkspaceClient, leastLedger: Int) async throws {
        let ledger = try scene.ledger()
        let stored = try await client.storedIds()
        #expect(ledger.count >= leastLedger)
        #expect(Set(ledger).count == ledger.count)
        #expect(Set(stored).count == stored.count)
        #expect(Set(ledger).subtracting(stored) == [])
        #expect(Set(stored).subtracting(ledger).count <= 1)
    }

    @Test(
        "An app that is killed delivers every event once after its restart",
        arguments: [10, 50])
    func killedOnce(_ percent: Int) async throws {
        try await scene.withWorkspace { client in
            try await scene.killShop(client.server, atPercent: percent, ["--speed", "2000"])
            try await scene.resumeShop(client.server)
            try await expectEverythingArrived(client, leastLedger: 600)
        }
    }

    @Test("An app that is killed twice delivers every event once")
    func killedTwice() async throws {
        try await scene.withWorkspace { client in
            try await scene.killShop(client.server, atPercent: 10, ["--speed", "2000"])
            try await scene.killShop(client.server, atPercent: 20, ["--speed", "2000"])
            try await scene.resumeShop(client.server)
            let ledger = try scene.ledger()
            let stored = try await client.storedIds()
            #expect(ledger.count >= 1800)
            #expect(Set(stored).count == stored.count)
            #expect(Set(ledger).subtracting(stored) == [])
            #expect(Set(stored).subtracting(ledger).count <= 2)
        }
    }

    @Test("An app that is killed while the server is down delivers every event later")
    func killedWithoutServer() async throws {
        let door = try ClosedDoor()
        door.close()
        try await scene.killShop(door.address, atPercent: 10, ["--speed", "2000"])
        try await scene.withWorkspace(port: door.port) { client in
            try await scene.resumeShop(client.server)
            try await expectEverythingArrived(client, leastLedger: 600)
        }
    }

    @Test("An app that is killed before its settings arrive delivers every event later")
    func killedBeforeSettings() async throws {
        let door = try ClosedDoor()
        try await scene.killShop(door.address, atPercent: 10, ["--speed", "2000"])
        door.close()
        try await scene.withWorkspace(port: door.port) { client in
            try await scene.resumeShop(client.server)
            try await expectEverythingArrived(client, leastLedger: 600)
        }
    }

    /// Scripts and filters decide the same before and after the kill: dropped events are never stored.
    @Test("Plugins and filters drop the same events before and after an app is killed")
    func killedWithPlugins() async throws {
        let events = try Recording(count: 6000).write(to: scene)
        let demo = Programs.repository.appendingPathComponent("Examples/Storefront/Demo")
        try await scene.withWorkspace { client in
            _ = try await client.deployPlugins(Data(contentsOf: demo.appendingPathComponent("plugin-v1.js")))
            try await client.deployFilters(Data(contentsOf: demo.appendingPathComponent("filter.json")))
            try await scene.killShop(client.server, atPercent: 30, ["--events", events, "--speed", "3000"])
            try await scene.resumeShop(client.server)

            let ledger = try scene.ledger()
            let stored = try await client.storedIds()
            var dropped: Set<String> = []
            try await client.visitDrops { dropped.insert($0["messageId"]?.stringValue ?? "") }
            #expect(ledger.count >= 1500)
            #expect(Set(stored).count == stored.count)
            #expect(dropped.isDisjoint(with: stored))
            let expected = ledger.filter { !Recording.isDropped($0) }
            #expect(Set(expected).subtracting(stored) == [])
            #expect(stored.filter(Recording.isDropped) == [])
            #expect(dropped.allSatisfy(Recording.isDropped))
            #expect(!dropped.isEmpty)
            #expect(Set(stored).subtracting(expected).count <= 1)
        }
    }
}
