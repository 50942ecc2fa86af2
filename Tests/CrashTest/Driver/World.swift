import Foundation
import Tributary

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Rounds on one folder and one write key: each starts two client processes that are killed, and what they leave is
/// what the next round begins with. After the last round a client sends what is left, and the books are compared.
final class World {
    /// What the rounds have to cope with.
    enum Kind: String, CaseIterable {
        /// The server and the settings host fail at random, and now and then the disk is full.
        case faulty
        /// The settings host never answers before the last client.
        case silentSettings
        /// A real disk of a few megabytes, and a server that takes nothing in every third round.
        case smallDisk
    }

    struct Site {
        var folder: String
        var executable: String
        var server: FaultyServer
        var clockStart: Int64
        var sabotage: Sabotage?
        /// Seconds without anything new after which the last client is taken to have sent what it has.
        var quiet = 40.0
    }

    let name: String
    private let index: Int
    private let kind: Kind
    private let site: Site
    private let folder: String
    private let writeKey: String
    private var ledgers: [String] = []
    private var verdict = Verdict()
    private var disk: SmallDisk?

    init(index: Int, kind: Kind, site: Site) throws {
        name = "w\(index)"
        self.index = index
        self.kind = kind
        self.site = site
        folder = site.folder + "/" + name
        writeKey = "KEY\(index)"
        try FileManager.default.createDirectory(
            atPath: folder + "/storage", withIntermediateDirectories: true)
        if kind == .smallDisk { disk = SmallDisk(folder + "/storage", megabytes: 6) }
    }

    /// Whether the world is what its kind says; a small disk takes a right to mount.
    var isPossible: Bool { kind != .smallDisk || disk != nil }

    func run(rounds: Int, _ lifetimes: inout Lifetimes) throws -> Verdict {
        for round in 0..<rounds { try self.round(round, &lifetimes) }
        keepStorage()
        try drain()
        checkLitter()
        verdict.add(audit())
        if !verdict.isGood { keepArrivals() }
        verdict.faults = site.server.finish(writeKey)
        disk?.remove()
        if verdict.isGood { try? FileManager.default.removeItem(atPath: folder) }
        return verdict
    }

    // MARK: Rounds

    private func round(_ round: Int, _ lifetimes: inout Lifetimes) throws {
        site.server.setMood(mood(of: round), for: writeKey)
        var first = lifetimes.next(plan("\(name)-r\(round)-a"), in: kind)
        var second = lifetimes.next(plan("\(name)-r\(round)-b"), in: kind)
        let hasPurge = lifetimes.hasPurge(in: kind)
        if hasPurge { lifetimes.addPurge(&first, &second) }
        var children: [(LifePlan, ChildProcess, Double)] = []
        for plan in [first, second] { children.append((plan, try start(plan), lifetimes.patience(for: plan))) }
        if !hasPurge { children.sort { $0.2 < $1.2 } }
        let begin = Date()
        for (plan, child, patience) in children {
            let isDead = child.wait(seconds: max(0, patience + begin.timeIntervalSinceNow))
            if !isDead { child.kill() }
            guard child.wait(seconds: 20) else {
                misbehave("\(plan.name) cannot even be killed")
                continue
            }
            note(plan, child)
        }
        verdict.rounds += 1
    }

    private func note(_ plan: LifePlan, _ child: ChildProcess) {
        guard child.ending == .killed else { return misbehave("\(plan.name) ended by itself: \(child.ending)") }
        let lines = Ledger.read(plan.ledger)
        let killed = lines.lazy.compactMap { line -> KillPoint? in
            if case .killed(let point) = line { return point }
            return nil
        }.first
        if let killed {
            verdict.kills[KillPoint(step: killed.step, side: killed.side, nth: 0), default: 0] += 1
        } else if let missed = plan.killPoint {
            verdict.missed[missed.step, default: 0] += 1
        } else {
            verdict.randomKills += 1
        }
    }

    private func mood(of round: Int) -> FaultyServer.Mood {
        switch kind {
        case .faulty: FaultyServer.Mood(faults: 40, settingsFaults: 30)
        case .silentSettings: FaultyServer.Mood(settingsAreSilent: true)
        case .smallDisk: FaultyServer.Mood(faults: 30, refusesAll: round % 3 == 0)
        }
    }

    private func plan(_ life: String) -> LifePlan {
        LifePlan(
            name: life, writeKey: writeKey, port: site.server.port, storage: folder + "/storage",
            ledger: folder + "/\(life).ledger", seed: 0, clockStart: site.clockStart,
            sabotage: site.sabotage)
    }

    private func start(_ plan: LifePlan) throws -> ChildProcess {
        ledgers.append(plan.ledger)
        return try ChildProcess(plan, executable: site.executable, output: folder + "/\(plan.name).output")
    }

    // MARK: The end

    /// What the last client found, for a look at it when something is wrong.
    private func keepStorage() {
        try? FileManager.default.copyItem(atPath: folder + "/storage", toPath: folder + "/storage-before-end")
    }

    /// What came, in its order, for the same.
    private func keepArrivals() {
        let lines = site.server.held(for: writeKey).map { "\($0.key)\t\($0.messageId)\n" }
        try? Data(lines.joined().utf8).write(to: URL(fileURLWithPath: folder + "/arrivals"))
    }

    /// In every second world one client has to find the queues of all others; in the rest there are two.
    private func drain() throws {
        site.server.setMood(FaultyServer.Mood(), for: writeKey)
        var plan = plan("\(name)-end")
        plan.drains = true
        plan.clients = index % 2 == 0 ? 1 : 2
        let child = try start(plan)
        var (held, since) = (-1, Date())
        while audit().lost > 0, since.timeIntervalSinceNow > -site.quiet, !child.wait(seconds: 0.2) {
            let now = site.server.held(for: writeKey).count
            if now != held { (held, since) = (now, Date()) }
        }
        child.end()
        if !child.wait(seconds: 20) {
            misbehave("the last client did not end")
            child.kill()
            _ = child.wait(seconds: 20)
        } else if child.ending != .ended {
            misbehave("the last client ended by itself: \(child.ending)")
        }
    }

    private func audit() -> Verdict {
        var audit = Audit(world: name)
        for ledger in ledgers { audit.add(Ledger.read(ledger)) }
        return audit.verdict(held: site.server.held(for: writeKey), received: site.server.received(for: writeKey))
    }

    /// A process that is killed may leave a file of any kind half written, but none that nobody uses again.
    private func checkLitter() {
        let folder = "\(folder)/storage/tributary/\(writeKey)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let litter = names.filter { $0.hasPrefix(".") }
        if !litter.isEmpty { misbehave("files that nobody uses again: \(litter.joined(separator: ", "))") }
    }

    private func misbehave(_ text: String) {
        verdict.misbehaved += 1
        verdict.problems.append(Verdict.Problem(world: name, text: text))
    }
}
