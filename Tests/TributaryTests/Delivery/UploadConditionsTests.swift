import Foundation
import TestSupport
import Testing

@testable import Tributary

@Suite("Obstacles of delivery", .timeLimit(.minutes(30)))
struct UploadConditionsTests {
    /// Conditions that a test sets.
    private final class Switch: UploadConditions {
        private struct State {
            var obstacle: UploadObstacle?
            var observers: [@Sendable () -> Void] = []
        }

        private let state = LockBox(State())

        init(_ obstacle: UploadObstacle?) { state.withLock { $0.obstacle = obstacle } }

        var obstacle: UploadObstacle? { state.withLock { $0.obstacle } }

        func observe(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(changed) } }

        var observers: Int { state.withLock { $0.observers.count } }

        func set(_ obstacle: UploadObstacle?) {
            let observers = state.withLock { state in
                state.obstacle = obstacle
                return state.observers
            }
            for observer in observers { observer() }
        }
    }

    @Test("No event is sent while an obstacle is there, and all events are sent when it is gone")
    func held() async {
        let conditions = Switch(UploadObstacle("there is no Wi-Fi"))
        let client = Client { $0.flushAt(2).uploadConditions(conditions) }
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        await client.processed()
        await client.attempted()
        client.time.advance(by: 600)
        await client.attempted()
        #expect(client.server.batches.isEmpty)
        #expect(client.analytics.deliveryState.obstacle == UploadObstacle("there is no Wi-Fi"))
        #expect(client.analytics.deliveryState.obstacle?.kind == .conditions)
        #expect(client.analytics.deliveryState.waiting == 5)
        conditions.set(nil)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["E1", "E2", "E3", "E4", "E5"])
    }

    @Test("A client observes its conditions once, and event queues that have ended are not told of changes")
    func observations() {
        let app = Switch(nil)
        let conditions = DeliveryConditions(app)
        let calls = LockBox<[String]>([])
        let first = conditions.observe { calls.withLock { $0.append("first") } }
        let second = conditions.observe { calls.withLock { $0.append("second") } }
        app.set(UploadObstacle("there is no network"))
        first.cancel()
        app.set(nil)
        conditions.isHeld = true
        #expect(conditions.obstacle?.kind == .held)
        second.cancel()
        conditions.isHeld = false
        #expect(calls.current == ["first", "second", "second", "second"])
        #expect(app.observers == 1)
    }

    @Test("A flush waits for the network until its time is over")
    func patient() async {
        let conditions = Switch(UploadObstacle("there is no network"))
        let client = Client { $0.uploadConditions(conditions) }
        client.analytics.track(name: "A")
        await client.processed()
        async let result = client.analytics.flush(timeout: 60)
        conditions.set(nil)
        #expect(await result == .sent)
        #expect(client.server.names == ["A"])
    }

    private static let doubtful = UploadObstacle("there is no network", retryAfter: 900)

    @Test("An uncertain obstacle is tested at intervals, and ends when a batch succeeds")
    func doubtful() {
        var device = DeliverySimulation(seed: 1)
        device.take(.conditions(Self.doubtful))
        device.append(3)
        #expect(device.requestTimes.isEmpty)
        var tries = 0
        for _ in 0..<4 {
            device.pass(900)
            guard device.inFlight != nil else { continue }
            tries += 1
            device.answer(nil)
        }
        #expect(tries > 0)
        while device.inFlight == nil { device.pass(3600) }
        device.answer(200)
        #expect(device.outbox.isEmpty)
        device.append(1)
        #expect(device.inFlight != nil)
        #expect(device.breaches.isEmpty)
    }

    @Test("The end of an obstacle ends its own pause and no other")
    func ends() {
        var device = DeliverySimulation(seed: 1)
        device.take(.conditions(Self.doubtful))
        device.append(3)
        #expect(device.inFlight == nil)
        device.take(.conditions(nil))
        #expect(device.inFlight != nil)
        device.answer(500)
        device.take(.conditions(Self.doubtful))
        device.take(.conditions(nil))
        #expect(device.inFlight == nil)
        device.pass(3600)
        device.answer(200)
        #expect(device.outbox.isEmpty)
        #expect(device.breaches.isEmpty)
    }

    @Test("With obstacles that come and go, all events arrive once and in order", arguments: UInt64(1)...10)
    func anything(seed: UInt64) {
        var device = DeliverySimulation(seed: seed)
        let obstacles = [nil, Self.doubtful, UploadObstacle("the user saves data")]
        for _ in 0..<400 {
            switch Int.random(in: 0..<8, using: &device.random) {
            case 0, 1: device.append(Int.random(in: 1...20, using: &device.random))
            case 2: device.take(.conditions(obstacles.randomElement(using: &device.random) ?? nil))
            case 3, 4: device.answer([200, 200, 500, nil].randomElement(using: &device.random) ?? nil)
            default: device.pass(Double.random(in: 0...2000, using: &device.random))
            }
        }
        device.take(.conditions(nil))
        for _ in 0..<1000 where !device.outbox.isEmpty || device.inFlight != nil {
            device.answer(200)
            device.pass(3600)
            if device.inFlight == nil { device.take(.demand) }
        }
        #expect(device.breaches.isEmpty, "\(device.breaches.prefix(3))")
        #expect(device.outbox.isEmpty)
        #expect(device.received == device.received.sorted())
        #expect(Set(device.received).count == Int(device.last))
    }
}
