import Foundation
import TestSupport
import TributaryJSON
import TributaryJournal

@testable import Tributary

/// The life of a client and of the clients after it in the same folder, as a seed chooses it.
///
/// It keeps a plain model: how many events were tracked. At the end it compares this with the counters of all clients.
struct History {
    private static let dropper = "Dropper"

    private(set) var log: [String] = []
    private(set) var breaches: [String] = []
    /// The kinds of ends that events had, so that a test sees whether its histories have them.
    private(set) var ends: Set<String> = []

    private var random: SeededGenerator
    private let folder: TemporaryFolder
    private let disk = BrokenDisk()
    private let time = ManualTime()
    private let server: HistoryServer
    private var client: Client
    /// The counters of the clients that have ended.
    private var earlier: [EventCounters] = []
    private var tracked = 0
    private var number = 0
    private var difference = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        folder = try TemporaryFolder()
        server = HistoryServer(time: time)
        client = Self.client(server, time, folder, disk, bytes: 50_000_000)
    }

    private static func client(
        _ server: HistoryServer, _ time: ManualTime, _ folder: TemporaryFolder, _ disk: BrokenDisk, bytes: Int
    ) -> Client {
        let client = Client(time: time, folder: folder.url) {
            $0.transport(server).files(disk).storageLimits(bytes: bytes)
        }
        client.analytics.add(
            plugin: Recorder(name: dropper) { event in
                (event as? TrackEvent)?.event.contains("dropped") == true ? nil : event
            })
        return client
    }

    mutating func run(steps: Int) async {
        await settle()
        for _ in 0..<steps {
            await act()
            guard chance(0.6) else { continue }
            await settle()
            noteDifference()
        }
        await drain()
        check()
        await client.ended()
    }

    // MARK: Chance

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    // MARK: Steps

    private mutating func act() async {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: track(Int.random(in: 1...8, using: &random))
        case 30..<38: trackSpecial()
        case 38..<42: identify()
        case 42..<50: setConsent()
        case 50..<55: await purge()
        case 55..<65: changeDisk()
        case 65..<75: changeServer()
        case 75..<80: release()
        case 80..<85: flush()
        case 85..<92: await pass()
        case 92..<95: changeBounds()
        default: await restart()
        }
    }

    private mutating func note(_ text: String) { log.append(text) }

    /// Takes note of a call that the client counts.
    private mutating func count(_ calls: Int = 1) {
        if client.analytics.acceptsEvents { tracked += calls }
    }

    private mutating func track(_ calls: Int) {
        note("track \(calls) from E\(number + 1)")
        count(calls)
        for _ in 0..<calls {
            number += 1
            let size = Int.random(in: 0..<2000, using: &random)
            client.analytics.track(
                name: "E\(number)", properties: ["text": String(repeating: "x", count: size)])
        }
    }

    private mutating func trackSpecial() {
        number += 1
        let kind = Int.random(in: 0..<6, using: &random)
        note("special \(kind) E\(number)")
        if kind != 0 { count() }
        switch kind {
        case 0: client.analytics.track(name: " ")
        case 1: client.analytics.track(name: "E\(number) \(HistoryServer.refusedName)")
        case 2: client.analytics.track(name: "E\(number) dropped")
        case 3: client.analytics.track(name: "E\(number) with closure", enrichments: [{ $0 }])
        case 4: trackLarge(bytes: 40_000)
        default: trackLarge(bytes: Limits.eventBytes - 300)
        }
    }

    private func trackLarge(bytes: Int) {
        client.analytics.track(
            name: "E\(number) large", properties: ["text": String(repeating: "x", count: bytes)])
    }

    private mutating func identify() {
        number += 1
        note("identify")
        count()
        client.analytics.identify(userId: "user \(number)")
    }

    private mutating func setConsent() {
        let state = pick([ConsentState.granted, .granted, .granted, .pending, .pending, .denied])
        note("consent \(state)")
        client.analytics.setConsent(state)
    }

    private mutating func purge() async {
        note("purge")
        let analytics = client.analytics
        await withCheckedContinuation { done in analytics.purgeStorage { done.resume() } }
    }

    private mutating func changeDisk() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2:
            note("disk works")
            disk.repair()
        case 3:
            let errno: Int32 = pick([28, 30])
            note("disk refuses \(errno)")
            disk.fill(errno)
        default:
            let part = pick(["/inbox/", "/outbox/", "/pending/", "/mark"])
            let errno: Int32 = pick([28, 30])
            note("disk refuses \(errno) in \(part)")
            disk.fail { operation, path in
                [.write, .make].contains(operation) && path.contains(part) ? errno : nil
            }
        }
    }

    private mutating func changeServer() {
        server.mode = pick([
            .accept, .accept, .status(503), .status(413), .status(401), .loseAnswer, .down, .hold, .hold,
        ])
        note("server \(server.mode)")
    }

    private mutating func release() {
        note("release \(server.isHolding)")
        server.release()
    }

    private mutating func flush() {
        note("flush")
        client.analytics.flush()
    }

    private mutating func pass() async {
        let seconds = pick([1.0, 1, 5, 30, 120, 3600])
        note("time \(seconds)")
        // A request whose deadline passes before its answer counts as unanswered for the client, and not for the server.
        await settle()
        await time.pass(seconds)
    }

    private mutating func changeBounds() {
        let bytes = pick([10_000, 30_000, 100_000, 50_000_000])
        note("bytes \(bytes)")
        client.analytics.eventQueue.bounds.withLock { $0.bytes = bytes }
    }

    /// Ends the client and makes the next one in the folder. The disk takes everything at the end of a client: what it
    /// refuses then is lost.
    private mutating func restart() async {
        disk.repair()
        await settle()
        await client.ended()
        server.forget()
        earlier.append(client.analytics.counters)
        let bytes = pick([20_000, 100_000, 50_000_000])
        note("restart \(bytes)")
        client = Self.client(server, time, folder, disk, bytes: bytes)
        await settle()
    }

    // MARK: Waiting

    /// Waits until the client has done what it can do now.
    private func settle() async {
        var (rounds, requests) = (0, server.requests)
        while rounds < 4 {
            rounds = server.requests == requests ? rounds + 1 : 0
            requests = server.requests
            await client.processed()
            await pass(client.analytics.uploader.queue)
            await pass(client.analytics.eventQueue.directory.host.queue)
        }
        while case .sending = client.analytics.deliveryState.activity, !server.isHolding {
            await pass(client.analytics.uploader.queue)
        }
    }

    private func pass(_ queue: DispatchQueue) async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    /// The disk and the server work again, and everything is sent that may be sent.
    private mutating func drain() async {
        note("drain")
        disk.repair()
        server.mode = .accept
        server.release()
        for _ in 0..<50 {
            await settle()
            if waiting == client.analytics.writer.pendingCount { break }
            await time.pass(3600)
            client.analytics.flush()
        }
        await settle()
    }

    // MARK: Accounts

    /// Where the events of all clients so far went.
    private struct Accounts {
        let counters: [EventCounters]
        let waiting: Int

        func sum(_ value: (EventCounters) -> Int) -> Int { counters.reduce(0) { $0 + value($1) } }
        var lost: Int { sum { $0.lost.values.reduce(0, +) } }
        var dropped: Int { sum { $0.droppedByPlugin.values.reduce(0, +) } }
        var all: Int { sum(\.uploaded) + sum(\.deadLettered) + lost + sum(\.deleted) + dropped + waiting }

        var text: String {
            "uploaded \(sum(\.uploaded)), refused \(sum(\.deadLettered)), lost \(counters.map(\.lost)), "
                + "deleted \(sum(\.deleted)), dropped \(dropped), waiting \(waiting)"
        }

        /// The kinds of ends.
        var ends: Set<String> {
            var ends = Set(counters.flatMap { $0.lost.keys })
            if sum(\.deleted) > 0 { ends.insert("deleted") }
            if sum(\.deadLettered) > 0 { ends.insert("refused") }
            if dropped > 0 { ends.insert("dropped") }
            if waiting > 0 { ends.insert("waiting") }
            return ends
        }
    }

    private var waiting: Int { client.analytics.deliveryState.waiting }

    private var accounts: Accounts {
        Accounts(counters: earlier + [client.analytics.counters], waiting: waiting)
    }

    /// Notes the step after which the accounts do not add up any more.
    private mutating func noteDifference() {
        let now = accounts.all - tracked
        if now != difference { note("(off by \(now))") }
        difference = now
    }

    private mutating func check() {
        let accounts = accounts
        ends = accounts.ends
        func expect(_ isTrue: Bool, _ breach: @autoclosure () -> String) {
            if !isTrue { breaches.append(breach()) }
        }
        let (uploaded, refused) = (accounts.sum(\.uploaded), accounts.sum(\.deadLettered))
        expect(accounts.sum(\.tracked) == tracked, "\(tracked) calls, \(accounts.sum(\.tracked)) counted")
        expect(accounts.all == tracked, "\(tracked) tracked, \(accounts.all) accounted: \(accounts.text)")
        expect(server.confirmed == uploaded, "\(server.confirmed) confirmed, \(uploaded) uploaded")
        expect(server.refused == refused, "\(server.refused) refused, \(refused) put aside")
        expect(waiting == client.analytics.writer.pendingCount, "\(waiting) wait")
        breaches += server.breaches.prefix(3)
    }
}
