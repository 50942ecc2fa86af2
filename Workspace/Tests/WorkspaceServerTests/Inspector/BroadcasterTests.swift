import NIOCore
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct BroadcasterTests {
    @Test func everyListenerGetsEveryMessageInOrder() async throws {
        let broadcaster = Broadcaster()
        let listeners = [try await broadcaster.subscribe(), try await broadcaster.subscribe()]
        for count in 1...3 {
            var statistics = Statistics()
            statistics.stored = Int64(count)
            await broadcaster.publish(StreamMessage(statistics))
        }
        for listener in listeners {
            await broadcaster.unsubscribe(listener.id)
            var seen: [String] = []
            for await message in listener.messages { seen.append(String(buffer: message.bytes)) }
            #expect(seen.count == 3)
            #expect(seen.enumerated().allSatisfy { $1.contains("\"stored\":\($0 + 1)") })
        }
        #expect(await broadcaster.isEmpty)
    }

    @Test func aListenerThatDoesNotKeepUpIsCutOff() async throws {
        let broadcaster = Broadcaster()
        let slow = try await broadcaster.subscribe()
        for _ in 0..<Limits.streamBuffer { await broadcaster.publish(.heartbeat) }
        #expect(await !broadcaster.isEmpty)
        await broadcaster.publish(.heartbeat)
        #expect(await broadcaster.isEmpty)
        var count = 0
        for await _ in slow.messages { count += 1 }
        #expect(count == Limits.streamBuffer)
    }

    @Test("A broadcaster is full at the limit of listeners, and a listener that leaves makes room")
    func limit() async throws {
        let broadcaster = Broadcaster()
        let admin = SharedSlots.Holder(.server)
        var last: Broadcaster.Subscription?
        for _ in 0..<Limits.streamListeners {
            #expect(await broadcaster.refusal(of: admin) == nil)
            last = try await broadcaster.subscribe()
        }
        #expect(await broadcaster.refusal(of: admin) == .allTaken(Limits.streamListeners))
        await #expect(throws: SharedSlots.Full.self) { try await broadcaster.subscribe() }
        await broadcaster.unsubscribe(try #require(last).id)
        #expect(await broadcaster.refusal(of: admin) == nil)
    }
}
