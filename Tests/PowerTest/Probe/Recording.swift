import Foundation
import Tributary

/// A client that survives the power going out, and says what it was promised and when.
struct Recording {
    let folder: String
    let workload: Workload
    let life: String

    func run() async {
        let server = MemoryServer(refusals: workload.refusals) { event in
            say("got \(event["properties"]?["key"]?.stringValue ?? "-") \(event["messageId"]?.stringValue ?? "-")")
        }
        let configuration = Configuration(writeKey: "KEY").storageMode(.diskAtURL(URL(fileURLWithPath: folder)))
            .apiHost("http://127.0.0.1:1/v1").cdnHost("http://127.0.0.1:1/v1").transport(server).gzip(false)
            .migration(.off).durability(workload == .interval ? .interval(0.2) : .powerLoss).flushAt(7).consent(
                workload == .consent ? .pending : .granted)
        let analytics = Analytics(configuration: configuration)
        say("began \(analytics.anonymousId)")
        switch workload {
        case .events: await trackOnTwoThreads(analytics)
        case .purge: await purge(analytics)
        case .few: await trackFew(analytics)
        case .consent: await decide(analytics)
        case .left: for number in 0..<40 { track(analytics, 0, number) }
        case .full: await fillDisk(analytics)
        case .interval: await trackForSeconds(analytics)
        }
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
        say("ended")
    }

    // MARK: Workloads

    private func trackOnTwoThreads(_ analytics: Analytics) async {
        await withCheckedContinuation { done in
            let group = DispatchGroup()
            for thread in 0..<2 {
                group.enter()
                Thread.detachNewThread {
                    for number in 0..<60 {
                        if thread == 0 { changeUser(analytics, at: number) }
                        track(analytics, thread, number)
                        if number % 20 == 19 { analytics.flush() }
                    }
                    group.leave()
                }
            }
            group.notify(queue: .global()) { done.resume() }
        }
        _ = await analytics.flush(timeout: 3)
        track(analytics, 0, 60)
    }

    private func trackFew(_ analytics: Analytics) async {
        for number in 0..<8 {
            if number == 3 { changeUser(analytics, at: number) }
            track(analytics, 0, number)
            if number == 4 { _ = await analytics.flush(timeout: 3) }
        }
        _ = await analytics.flush(timeout: 8)
        // What failed once is tried again after a while, and then whatever waits in memory is on the disk.
        await becomesLasting(analytics)
        track(analytics, 0, 8)
    }

    private func fillDisk(_ analytics: Analytics) async {
        let disk = FullDisk()
        for number in 0..<15 { track(analytics, 0, number) }
        disk.fill()
        for number in 15..<30 { track(analytics, 0, number) }
        disk.empty()
        await becomesLasting(analytics)
        for number in 15..<30 { say("tracked \(life)-0-\(number)") }
        for number in 30..<45 { track(analytics, 0, number) }
    }

    private func trackForSeconds(_ analytics: Analytics) async {
        for number in 0..<60 {
            track(analytics, 0, number)
            if number % 6 == 5 { try? await Task.sleep(nanoseconds: 100_000_000) }
        }
    }

    /// Waits until the disk takes events and has all of them; gives up after a while, because it may never do.
    private func becomesLasting(_ analytics: Analytics) async {
        for _ in 0..<1_200 {
            let state = analytics.storageState
            if state.survivesProcess, state.queues.allSatisfy({ $0.inMemory == 0 }) { return }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
    }

    private func changeUser(_ analytics: Analytics, at number: Int) {
        if number % 25 == 24 {
            change(to: "-", analytics) { analytics.reset() }
        } else if number % 10 == 3 {
            let user = "u-\(life)-\(number)"
            change(to: user, analytics) { analytics.identify(userId: user) }
        }
    }

    private func change(to user: String, _ analytics: Analytics, _ body: () -> Void) {
        let wasLasting = analytics.storageState.survivesProcess
        say("identifying \(user)")
        body()
        let isLasting = wasLasting && analytics.storageState.survivesProcess
        say("\(isLasting ? "identified" : "hoped") \(user)")
    }

    private func purge(_ analytics: Analytics) async {
        for number in 0..<60 {
            track(analytics, 0, number)
            guard number % 20 == 15 else { continue }
            say("purging")
            await withCheckedContinuation { done in analytics.purgeStorage { done.resume() } }
            say("purged")
        }
    }

    private func decide(_ analytics: Analytics) async {
        for number in 0..<15 { track(analytics, 0, number) }
        await decide(.granted, analytics)
        for number in 15..<30 { track(analytics, 0, number) }
        await decide(.pending, analytics)
        for number in 30..<45 { track(analytics, 0, number) }
        await decide(.denied, analytics)
        for number in 45..<50 { track(analytics, 0, number) }
    }

    private func decide(_ state: ConsentState, _ analytics: Analytics) async {
        say("deciding \(state.rawValue)")
        await withCheckedContinuation { done in
            analytics.setConsent(state) { done.resume() }
            say("decided \(state.rawValue)")
        }
        say("settled \(state.rawValue)")
    }

    // MARK: Parts

    private func track(_ analytics: Analytics, _ thread: Int, _ number: Int) {
        let key = "\(life)-\(thread)-\(number)"
        let wasLasting = analytics.storageState.survivesProcess
        say("tracking \(key)")
        analytics.track(name: "E", properties: ["key": key, "filler": String(repeating: "x", count: number % 7 * 90)])
        // While the disk refuses, events are in memory, and the client says so.
        let isLasting = wasLasting && analytics.storageState.survivesProcess
        say("\(isLasting ? "tracked" : "held") \(key)")
    }

    private func say(_ line: String) { PowerProbe.say(line) }
}
