import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The accounts of events")
struct AccountsTests {
    /// Random numbers that are the same in every run (SplitMix64).
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    /// Where the tracked events are, as the counters say.
    private func account(_ analytics: Analytics) -> (tracked: Int, known: Int, text: String) {
        let counters = analytics.counters
        let dropped = counters.droppedByPlugin.values.reduce(0, +)
        let lost = counters.lost.values.reduce(0, +)
        let waiting = analytics.deliveryState.waiting
        let known = counters.uploaded + counters.deadLettered + dropped + lost + counters.deleted + waiting
        return (counters.tracked, known, "\(counters), waiting \(waiting)")
    }

    /// - Parameter onDisk: with a disk that sometimes refuses; otherwise in memory.
    private func expectBalance(seed: UInt64, onDisk: Bool) async throws {
        var numbers = Numbers(state: seed)
        let folder = try TemporaryFolder()
        let (server, disk) = (TestServer(), BrokenDisk())
        let status = LockBox(200)
        server.answerBatches { _ in .success(TransportResponse(status: status.current)) }
        let client = Client(server: server, folder: onDisk ? folder.url : nil) {
            $0.storageLimits(bytes: 150_000, events: 60).files(disk)
            if !onDisk { $0.storageMode(.memory(50)) }
        }
        let analytics = client.analytics
        analytics.add(plugin: Recorder { ($0 as? TrackEvent)?.event == "Dropped" ? nil : $0 })
        for _ in 0..<Int.random(in: 20...120, using: &numbers) {
            switch Int.random(in: 0..<20, using: &numbers) {
            case 0: analytics.track(name: "Large", properties: ["text": String(repeating: "x", count: 40_000)])
            case 1: analytics.track(name: "Vast", properties: ["text": String(repeating: "x", count: 400_000)])
            case 2: analytics.track(name: "Dropped")
            case 3: analytics.identify(userId: "u", traits: ["n": 1])
            case 4: analytics.setConsent(.pending)
            case 5, 6: analytics.setConsent(.granted)
            case 12: analytics.setConsent(.denied)
            case 7: status.withLock { $0 = [200, 200, 400, 413, 503].randomElement(using: &numbers) ?? 200 }
            case 8: await client.attempted()
            case 9: client.time.advance(by: Double.random(in: 1...1000, using: &numbers))
            case 10: await client.processed()
            case 11: if Bool.random(using: &numbers) { disk.fill() } else { disk.repair() }
            case 13 where Int.random(in: 0..<4, using: &numbers) == 0:
                analytics.purgeStorage()
                if Bool.random(using: &numbers) { await client.executed() }
            default: for _ in 0..<Int.random(in: 1...10, using: &numbers) { analytics.track(name: "Small") }
            }
        }
        disk.repair()
        status.withLock { $0 = 200 }
        let isMoved = LockBox(false)
        analytics.setConsent(.granted) { isMoved.withLock { $0 = true } }
        while !isMoved.current {
            client.time.advance(by: 1)
            await client.executed()
        }
        for _ in 0..<3 {
            client.time.advance(by: 100_000)
            await client.flushed()
        }
        let account = account(analytics)
        #expect(account.tracked == account.known, "seed \(seed): \(account.text)")
        #expect(analytics.deliveryState.waiting == 0, "seed \(seed)")
        await client.ended()
    }

    @Test("Each tracked event is delivered, waits, or is in exactly one account of lost ones", arguments: 1...40)
    func balance(seed: Int) async throws {
        try await expectBalance(seed: UInt64(seed), onDisk: seed % 2 == 0)
    }

    @Test("An event that is too large is lost once, for that reason", arguments: [40_000, 400_000])
    func tooLarge(size: Int) async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.storageLimits(bytes: 150_000) }
        client.analytics.track(name: "Large", properties: ["text": String(repeating: "x", count: size)])
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.analytics.counters.lost == ["too_large": 1])
        #expect(client.analytics.counters.droppedByPlugin.isEmpty)
        #expect(client.server.names == ["A"])
        await client.ended()
    }
}
