import Foundation
import Testing
import TributaryJournal

@testable import Tributary

@Suite("The state machine of delivery")
struct DeliveryMachineTests {
    private static let statuses: [Int?] = [
        200, 200, 200, 204, 302, 400, 401, 413, 415, 422, 429, 500, 501, 503, 599, nil,
    ]

    @Test(
        "Whatever servers answer and clocks do, no event is lost, reordered or sent after its confirmation",
        arguments: UInt64(1)...15)
    func anything(seed: UInt64) { run(seed, makesRoom: false) }

    @Test("Events that were dropped to make room are not sent", arguments: UInt64(1)...15)
    func makingRoom(seed: UInt64) { run(seed, makesRoom: true) }

    private func run(_ seed: UInt64, makesRoom: Bool) {
        var device = DeliverySimulation(seed: seed)
        for _ in 0..<600 {
            if makesRoom {
                let chance = Int.random(in: 0..<20, using: &device.random)
                if chance == 0 { device.withdrawsBeforeSending = true }
                if chance < 3 { device.withdraw(Int.random(in: 1...60, using: &device.random)) }
            }
            switch Int.random(in: 0..<20, using: &device.random) {
            case 0..<5: device.append(Int.random(in: 1...40, using: &device.random))
            case 5..<14:
                let status = Self.statuses.randomElement(using: &device.random) ?? nil
                let retryAfter = [nil, nil, 0, 30, 1e12, -5].randomElement(using: &device.random) ?? nil
                device.answer(status, retryAfter: retryAfter)
            case 14..<17: device.pass(Double.random(in: 0...900, using: &device.random))
            case 17: device.milliseconds += Int64.random(in: -400_000_000...400_000_000, using: &device.random)
            case 18: device.restart(after: Double.random(in: 0...100, using: &device.random))
            default: device.take(.timer)
            }
        }
        // At the end the server works, and all waiting events arrive.
        for _ in 0..<2000 where !device.outbox.isEmpty || device.inFlight != nil {
            device.answer(200)
            device.pass(3600)
            if device.inFlight == nil { device.take(.demand) }
        }
        #expect(device.breaches.isEmpty, "seed \(seed): \(device.breaches.prefix(3))")
        #expect(device.outbox.isEmpty, "seed \(seed): \(device.machine.phase), \(device.machine.rest)")
        let ends = Set(device.received + device.deadLetters)
        #expect(device.withdrawn.isEmpty != makesRoom)
        #expect(ends.count + device.withdrawn.count == Int(device.last), "seed \(seed)")
        #expect(ends.isDisjoint(with: device.withdrawn), "seed \(seed)")
        #expect(device.dropped.isEmpty)
        // A request whose answer was lost is repeated. Events that arrive for the first time come in order.
        var seen: Set<UInt64> = []
        let firsts = device.received.filter { seen.insert($0).inserted }
        #expect(firsts == firsts.sorted(), "seed \(seed)")
        #expect(seen.count == device.received.count, "seed \(seed): sent again although it was confirmed")
    }

    @Test(
        "A server with one answer to everything gets few requests, and no event is dropped quickly",
        arguments: [302, 400, 401, 413, 422, 429, 500, 501, 505])
    func alwaysTheSame(status: Int) { days(status) }

    @Test("A server that never answers gets few requests")
    func neverAnswers() { days(nil) }

    /// Two days, an event each second in bursts, and an app that is killed every six hours.
    private func days(_ status: Int?) {
        var device = DeliverySimulation(seed: 7)
        let day = 86_400.0
        var hours: [Int] = []
        for hour in 0..<48 {
            let before = device.requestTimes.count
            let end = device.uptime + 3600
            while device.uptime < end {
                device.append(100)
                let next = min(end, device.uptime + 100)
                while device.uptime < next {
                    if device.inFlight != nil { device.answer(status) }
                    if device.inFlight == nil { device.pass(next - device.uptime) }
                }
            }
            hours.append(device.requestTimes.count - before)
            if hour % 6 == 5 { device.restart(after: 1) }
        }
        #expect(device.breaches.isEmpty, "\(device.breaches.prefix(3))")
        #expect(hours.max() ?? 0 <= 80, "requests in an hour: \(hours)")
        #expect(hours.reduce(0, +) <= 48 * 40, "requests in two days: \(hours)")
        #expect(device.received.isEmpty && device.dropped.isEmpty)
        // Refused events are put aside slowly, so that a broken server does not empty the outbox.
        #expect(device.deadLetters.count < 48 * 40)
        // Each event is read once at the most for each time the app was started.
        #expect(device.recordsRead <= 9 * 2500 + device.deadLetters.count)
        #expect(device.uptime < 3 * day)
    }

    @Test("A server that takes one event at a time gets a long backlog, and each event is read once")
    func oneAtATime() {
        var device = DeliverySimulation(seed: 3)
        device.append(3000)
        while !device.outbox.isEmpty {
            guard let request = device.inFlight else {
                device.pass(3600)
                continue
            }
            device.answer(request.batch.records.count > 1 ? 413 : 200)
        }
        #expect(device.received == Array(1...3000))
        #expect(device.deadLetters.isEmpty)
        #expect(device.recordsRead == 3000)
        #expect(device.requestTimes.count < 3000 * 2 + 100)
    }

    @Test("The batch size that a server takes is learned, kept for the next launch, and grows again")
    func size() {
        var device = DeliverySimulation(seed: 3)
        func limited(_ device: inout DeliverySimulation, bytes: Int) -> Int {
            var refused = 0
            while let request = device.inFlight {
                let isTooLarge = request.batch.bytes > bytes
                refused += isTooLarge ? 1 : 0
                device.answer(isTooLarge ? 413 : 200)
            }
            return refused
        }
        device.append(2000)
        #expect(limited(&device, bytes: 100_000) == 4)
        device.restart(after: 0)
        device.append(2000)
        #expect(limited(&device, bytes: 100_000) <= 2)
        for _ in 0..<100 {
            device.append(1)
            device.answer(200)
        }
        #expect(device.machine.retry.batchBytes == nil)
        #expect(device.breaches.isEmpty)
    }

    @Test("A slow connection gets smaller batches, and larger batches get longer deadlines")
    func slowLine() {
        var device = DeliverySimulation(seed: 3)
        device.append(2000)
        #expect(device.inFlight?.deadline ?? 0 > 60)
        var sizes: [Int] = []
        for _ in 0..<6 {
            sizes.append(device.inFlight?.batch.bytes ?? 0)
            device.answer(nil)
            while device.inFlight == nil { device.pass(3600) }
        }
        #expect(sizes == sizes.sorted(by: >))
        #expect((sizes.last ?? 0) <= 64 * 1024)
    }

    private func flush(_ device: inout DeliverySimulation) {
        let end = device.last
        device.take(.flush(FlushWaiter(id: 1, end: end, isPatient: false, isOfApp: true) { _ in }))
    }

    @Test(
        "A flush by the app asks a server again at once after a status that only an operator can change",
        arguments: [301, 401, 403, 404, 505])
    func asksAgain(status: Int) {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        device.answer(status)
        device.append(1)
        #expect(device.inFlight == nil)
        flush(&device)
        #expect(device.requestTimes.count == 2)
        while device.inFlight != nil { device.answer(200) }
        #expect(device.outbox.isEmpty)
    }

    @Test("A flush by the app keeps to a pause that the server asked for", arguments: [429, 500, 503])
    func keepsPause(status: Int) {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        device.answer(status, retryAfter: 600)
        flush(&device)
        #expect(device.inFlight == nil)
        #expect(device.machine.waiters.isEmpty)
    }

    @Test("An app that flushes all the time sends one request a minute, also when it is started again and again")
    func asksRarely() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        for second in 0..<3600 {
            if device.inFlight != nil { device.answer(401) }
            flush(&device)
            device.pass(1)
            if second % 300 == 299, device.inFlight == nil { device.restart(after: 1) }
        }
        #expect((55...80).contains(device.requestTimes.count), "\(device.requestTimes.count) requests")
        #expect(device.breaches.isEmpty)
    }

    @Test("Two bad events among 2,500 are found within the requests that cause no pause")
    func poison() {
        var device = DeliverySimulation(seed: 3, eventBytes: 100)
        device.append(2500)
        let bad: Set<UInt64> = [700, 2111]
        while let request = device.inFlight {
            device.answer(request.batch.records.contains { bad.contains($0.sequence) } ? 400 : 200)
        }
        #expect(Set(device.deadLetters) == bad)
        #expect(device.received == (1...2500).filter { !bad.contains($0) })
        #expect(device.requestTimes.count <= 60)
        #expect(device.machine.retry.failures == 0)
    }

    @Test("An app that crashes before its first answer sends at longer and longer intervals")
    func crashLoop() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        for _ in 0..<3600 { device.restart(after: 1) }
        #expect(device.requestTimes.count < 400)
        #expect(device.requestTimes.count > 100)
    }

    @Test("An app that is started again and again keeps the pause that the server asked for")
    func pauseAcrossLaunches() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        device.answer(503, retryAfter: 600)
        for _ in 0..<59 { device.restart(after: 10) }
        #expect(device.requestTimes.count == 1)
        device.restart(after: 20)
        device.pass(10)
        #expect(device.requestTimes.count == 2)
        device.answer(200)
        #expect(device.outbox.isEmpty)
        #expect(device.stored.pausedAt == nil)
    }

    @Test(
        "A changed clock or a foreign state delays delivery by the longest pause at most",
        arguments: [-10_000_000_000_000, -400_000, 0, 400_000, 10_000_000_000_000] as [Int64])
    func clocks(jump: Int64) {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        device.answer(503, retryAfter: 600)
        device.stored.pause = 1e300
        device.milliseconds += jump
        device.restart(after: 1)
        for _ in 0..<10 where device.inFlight == nil { device.pass(policy.longestPause / 10 + 1) }
        #expect(device.requestTimes.count == 2)
    }

    private let policy = DeliveryPolicy()

    @Test("A new server gets the next batch at once, and an answer of the old one still counts")
    func otherServer() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        device.answer(401)
        #expect(device.inFlight == nil)
        device.take(.settings(host: "https://other.test", policy: policy))
        #expect(device.inFlight?.host == "https://other.test")
        device.take(.settings(host: "https://third.test", policy: policy))
        device.append(5)
        device.answer(200)
        #expect(device.received == Array(1...10))
        #expect(device.inFlight?.host == "https://third.test")
        device.take(.settings(host: "https://fourth.test", policy: policy))
        device.answer(500)
        #expect(device.inFlight?.host == "https://fourth.test")
        device.answer(200)
        #expect(device.received == Array(1...15))
        #expect(device.breaches.isEmpty)
    }

    @Test("New delays change neither the present request nor the present pause")
    func otherDelays() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        let request = device.inFlight?.id
        device.take(.settings(host: "https://server.test", policy: DeliveryPolicy(HttpConfig())))
        #expect(device.inFlight?.id == request)
        device.answer(503, retryAfter: 100)
        device.take(.settings(host: "https://server.test", policy: DeliveryPolicy(HttpConfig())))
        device.pass(99)
        #expect(device.inFlight == nil)
        device.pass(10)
        device.answer(200)
        #expect(device.outbox.isEmpty)
    }

    @Test("Events that the outbox dropped during delivery are not sent again")
    func droppedOldest() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        device.answer(503, retryAfter: 100)
        device.outbox.removeFirst(4)
        device.removed = 4
        device.pass(200)
        #expect(device.inFlight?.batch.records.map(\.sequence) == Array(5...10))
        #expect(device.breaches.isEmpty)
    }

    @Test("Compression is given up for a server only when the same events arrive without it")
    func compression() {
        var device = DeliverySimulation(seed: 3)
        device.append(10)
        #expect(device.inFlight?.isCompressed == true)
        device.answer(400)
        #expect(device.inFlight?.isCompressed == false)
        device.answer(200)
        device.restart(after: 1)
        device.append(10)
        #expect(device.inFlight?.isCompressed == false)
        device.answer(200)
        device.milliseconds += 8 * 86_400_000
        device.append(10)
        #expect(device.inFlight?.isCompressed == true)
    }

    @Test("An event that is refused with and without compression does not switch compression off")
    func poisonAndCompression() {
        var device = DeliverySimulation(seed: 3)
        device.append(50)
        while let request = device.inFlight {
            device.answer(request.batch.records.contains { $0.sequence == 17 } ? 400 : 200)
        }
        #expect(device.deadLetters == [17])
        device.append(10)
        #expect(device.inFlight?.isCompressed == true)
        #expect(device.machine.retry.plainHosts.isEmpty)
    }
}
