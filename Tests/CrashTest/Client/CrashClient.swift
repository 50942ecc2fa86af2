import Dispatch
import Foundation
import Tributary

/// The client process: tracks from several threads until it is killed.
final class CrashClient: Sendable {
    private let plan: LifePlan
    private let ledger: Ledger
    private let killer: Killer
    private let refusals: Refusals
    private let gate: Gate

    init(_ plan: LifePlan, ledger: Ledger) {
        self.plan = plan
        self.ledger = ledger
        killer = Killer(plan.killPoint, ledger: ledger)
        refusals = Refusals()
        gate = Gate(threads: plan.threads)
    }

    /// Begins the work and never returns.
    func run() -> Never {
        endSomeDay()
        if plan.drains { drain() } else { track() }
        if plan.servesMain { dispatchMain() }
        // Nothing of the client may depend on the main thread.
        while true { pause() }
    }

    /// A process whose driver is gone must not stay for ever.
    private func endSomeDay() {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 120)
            exit(4)
        }
    }

    private func makeAnalytics() -> Analytics {
        let files = CrashingFileSystem(plan, killer: killer, refusals: refusals, ledger: ledger)
        let time = FastTime(start: plan.clockStart)
        let host = "http://127.0.0.1:\(plan.port)/v1"
        let configuration = Configuration(writeKey: plan.writeKey)
            .apiHost(host).cdnHost(host).storageMode(.diskAtURL(URL(fileURLWithPath: plan.storage)))
            .transport(CrashingTransport(plan, killer: killer)).timeSource(time).files(files)
            .flushAt(plan.flushAt).gzip(false)
        let analytics = Analytics(configuration: configuration)
        let name = plan.name
        analytics.observeDiagnostics { FileHandle.standardError.write(Data("\(name): \($0)\n".utf8)) }
        analytics.add(plugin: TrackingPlugin(killer: killer, refusals: refusals, ledger: ledger))
        analytics.add(plugin: DroppingPlugin(sabotage: plan.sabotage))
        time.begin()
        return analytics
    }

    // MARK: Tracking

    private func track() {
        let analytics = makeAnalytics()
        let done = DispatchGroup()
        for thread in 0..<plan.threads {
            done.enter()
            Thread.detachNewThread { [self] in
                track(analytics, thread)
                done.leave()
            }
        }
        let queue = DispatchQueue(label: "crash-test.end")
        done.notify(queue: queue) { [self] in
            ledger.append(.finished)
            // What is on its way may come to its step yet.
            analytics.flush()
            queue.asyncAfter(deadline: .now() + (plan.endures ? 60 : 1)) {
                withExtendedLifetime(analytics) { _ = kill(getpid(), SIGKILL) }
            }
        }
    }

    private func track(_ analytics: Analytics, _ thread: Int) {
        var random = SeededGenerator(seed: plan.seed, index: thread)
        let padding = plan.padding == 0 ? nil : String(repeating: "x", count: plan.padding)
        for number in 0..<plan.eventsPerThread {
            gate.pass()
            let key = EventKey.key(life: plan.name, thread: thread, number: number)
            if plan.sabotage != .callsSkipped || number % 20 != 9 {
                let isVolatile = refusals.touch(analytics) {
                    analytics.track(name: "Tracked", properties: CrashProperties(crashKey: key, padding: padding))
                }
                ledger.append(.acknowledged(key: key, isVolatile: isVolatile))
            } else {
                ledger.append(.acknowledged(key: key, isVolatile: false))
            }
            killer.reached(.firstTrack, .after)
            if thread == 0, number == plan.purgeAfter { gate.alone { purge(analytics) } }
            if random.chance(2) { analytics.flush() }
            if random.chance(1) { analytics.refreshSettings() }
            if random.chance(1) { analytics.identify(userId: "u-\(number)", traits: ["thread": thread]) }
        }
        gate.leave()
    }

    /// What other threads tracked before it is given up, what they track from now on is not.
    private func purge(_ analytics: Analytics) {
        ledger.append(.purging)
        killer.reached(.purge, .before)
        analytics.purgeStorage()
        killer.reached(.purge, .after)
        ledger.append(.purged)
    }

    // MARK: The end

    /// Sends what waits until the driver ends the process, for only the driver sees what all queues had.
    private func drain() {
        for _ in 0..<plan.clients { keepSending(makeAnalytics()) }
    }

    /// Lanes that a client adopts are sent by and by; what plugins track meanwhile, by the next flush.
    private func keepSending(_ client: Analytics) {
        client.flush { [self] in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { self.keepSending(client) }
        }
    }
}
