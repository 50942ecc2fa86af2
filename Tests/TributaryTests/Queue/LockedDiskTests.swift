import Foundation
import TestSupport
import Testing
import TributaryJSON
import TributaryJournal

@testable import Tributary

/// A device that was restarted lets nobody open protected files until it is unlocked for the first time: the system calls
/// fail with EPERM, and apps are started all the same.
@Suite("A disk that cannot be read before the first unlock")
struct LockedDiskTests {
    /// The files that cannot be read: all files, or one file that a start reads.
    static let places = [
        "/", "/lane-0/", "/inbox/lock", "/outbox/lock", "/inbox/", "/outbox/", ".tjl", "/mark", "application.json",
        "session.json",
    ]

    private func locked(_ place: String) -> BrokenDisk {
        let disk = BrokenDisk()
        disk.fail { _, path in (path + "/").contains(place) ? EPERM : nil }
        return disk
    }

    /// A known user, an app that ran before, and its first session.
    private func firstLaunch(in folder: TemporaryFolder) async -> UserInfo {
        let client = Client(folder: folder.url)
        client.analytics.add(plugin: LinuxLifecycle(version: "1.0", build: "1"))
        client.analytics.add(plugin: Sessions())
        client.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        #expect(await client.flushed() == .sent)
        await client.ended()
        return client.analytics.userInfo
    }

    private func secondLaunch(in folder: TemporaryFolder, _ disk: BrokenDisk) -> Client {
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        client.analytics.add(plugin: LinuxLifecycle(version: "1.0", build: "1"))
        client.analytics.add(plugin: Sessions())
        return client
    }

    private func unlock(_ disk: BrokenDisk, _ client: Client) async {
        disk.repair()
        client.time.advance(by: Limits.checkIntervalInTrouble)
        await client.executed()
    }

    @Test("After an unlock all events have the same user, and no installation is tracked", arguments: places)
    func launch(place: String) async throws {
        let folder = try TemporaryFolder()
        let user = await firstLaunch(in: folder)
        let disk = locked(place)
        let client = secondLaunch(in: folder, disk)
        client.analytics.track(name: "E1")
        client.begin()
        client.analytics.track(name: "E2")
        await unlock(disk, client)
        client.analytics.track(name: "E3")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Application Opened", "E1", "E2", "E3"])
        for event in client.server.events {
            #expect(event["anonymousId"]?.stringValue == user.anonymousId)
            #expect(event["userId"]?.stringValue == "u-1")
            #expect(event["context"]?["session"]?["index"]?.intValue == 2)
        }
        #expect(client.analytics.userInfo == user)
        await client.ended()
        let next = Client(time: ManualTime(later: 14_400), folder: folder.url)
        #expect(next.analytics.userInfo == user)
        await next.ended()
    }

    @Test("A first start on a locked device tracks one installation and keeps its user")
    func firstLaunchLocked() async throws {
        let folder = try TemporaryFolder()
        let disk = locked("/")
        let client = Client(folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        client.analytics.add(plugin: LinuxLifecycle(version: "1.0", build: "1"))
        let shown = client.analytics.anonymousId
        client.analytics.track(name: "E1")
        await unlock(disk, client)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Application Installed", "Application Opened", "E1"])
        #expect(Set(client.server.events.map { $0["anonymousId"]?.stringValue }) == [shown])
        await client.ended()
        let next = Client(time: ManualTime(later: 7200), folder: folder.url)
        #expect(next.analytics.anonymousId == shown)
        await next.ended()
    }

    @Test("While the disk cannot be read nothing is sent, and a flush reports the waiting events")
    func waiting() async throws {
        let folder = try TemporaryFolder()
        _ = await firstLaunch(in: folder)
        let disk = locked("/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        client.analytics.track(name: "E1")
        client.begin()
        client.time.advance(by: 3600)
        await client.executed()
        #expect(client.server.events.isEmpty)
        #expect(client.analytics.storageState.reason == .unreadable)
        #expect(client.analytics.storageState.waitingEvents == 1)
        #expect(client.analytics.hasUnsentEvents)
        #expect(client.analytics.deliveryState.obstacle?.kind == .storage)
        #expect(client.analytics.deliveryState.obstacle?.text == "the disk cannot be read yet")
        await withCheckedContinuation { done in client.analytics.flush { done.resume() } }
        #expect(client.server.events.isEmpty)
        let calls = client.analytics.held.calls
        let patient = Task { await client.analytics.flush(timeout: 3600) }
        while client.analytics.held.calls == calls { await Task.yield() }
        await unlock(disk, client)
        #expect(!client.analytics.held.isWaiting)
        #expect(await patient.value == .sent)
        #expect(client.server.events.map { $0["event"]?.stringValue } == ["E1"])
        await client.ended()
    }

    @Test("A purge before the disk can be read drops the waiting events and those on disk, and later events go out")
    func purge() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.track(name: "E0")
        await first.ended()
        let disk = locked("/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        client.analytics.track(name: "E1")
        let isPurged = LockBox(false)
        client.analytics.purgeStorage { isPurged.withLock { $0 = true } }
        client.analytics.track(name: "E2")
        client.begin()
        #expect(!isPurged.withLock { $0 })
        await unlock(disk, client)
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.map { $0["event"]?.stringValue } == ["E2"])
        #expect(isPurged.withLock { $0 })
        await client.ended()
    }

    @Test("Calls about the user on a locked device apply to the known user, in order")
    func changes() async throws {
        let folder = try TemporaryFolder()
        let user = await firstLaunch(in: folder)
        let disk = locked("/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        let analytics = client.analytics
        analytics.track(name: "E1")
        analytics.identify(traits: ["city": "Bern"])
        analytics.alias(newId: "u-2")
        #expect(analytics.userId == "u-2")
        analytics.track(name: "E2")
        analytics.reset()
        let after = analytics.anonymousId
        analytics.track(name: "E3")
        await unlock(disk, client)
        #expect(await client.flushed() == .sent)
        let events = client.server.events
        #expect(events.map { $0["type"]?.stringValue } == ["track", "identify", "alias", "track", "track"])
        #expect(events.map { $0["userId"]?.stringValue } == ["u-1", "u-1", "u-2", "u-2", nil])
        #expect(events[2]["previousId"]?.stringValue == "u-1")
        #expect(events.dropLast().allSatisfy { $0["anonymousId"]?.stringValue == user.anonymousId })
        #expect(events.last?["anonymousId"]?.stringValue == after)
        #expect(analytics.userInfo == UserInfo(anonymousId: after))
        await client.ended()
    }

    @Test("An earlier refusal applies to calls that waited for the disk", arguments: [ConsentState.denied, .pending])
    func consent(state: ConsentState) async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.identify(userId: "u-1")
        #expect(await first.flushed() == .sent)
        first.analytics.setConsent(state)
        await first.executed()
        await first.ended()
        let disk = locked("/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        client.analytics.track(name: "E1")
        await unlock(disk, client)
        #expect(client.analytics.consent == state)
        #expect((await client.flushed() == .sent) == (state == .denied))
        #expect(client.server.events.isEmpty)
        if state == .pending {
            client.analytics.setConsent(.granted)
            await client.executed()
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == ["E1"])
            #expect(client.server.events.first?["userId"]?.stringValue == "u-1")
        }
        await client.ended()
    }

    @Test("A refusal deletes the waiting calls and the user")
    func refusal() async throws {
        let folder = try TemporaryFolder()
        let user = await firstLaunch(in: folder)
        let disk = locked("/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(nil) }
        client.analytics.track(name: "E1")
        client.analytics.setConsent(.denied)
        client.analytics.track(name: "E2")
        await unlock(disk, client)
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.isEmpty)
        await client.ended()
        let next = Client(time: ManualTime(later: 14_400), folder: folder.url)
        #expect(next.analytics.consent == .denied)
        #expect(next.analytics.userId == nil)
        #expect(next.analytics.anonymousId != user.anonymousId)
        await next.ended()
    }

    @Test("Beyond the memory limit the oldest events are dropped and counted, but their changes of the user stay")
    func tooMany() async throws {
        let folder = try TemporaryFolder()
        _ = await firstLaunch(in: folder)
        let disk = locked("/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) {
            $0.files(disk).unlockPatience(nil).flushAt(5000)
        }
        client.analytics.identify(userId: "u-2")
        for number in 1...Limits.memoryEvents + 10 { client.analytics.track(name: "E\(number)") }
        await unlock(disk, client)
        #expect(client.analytics.userId == "u-2")
        #expect(await client.flushed() == .dropped(reasons: ["memory_full": 11]))
        #expect(client.server.names == (11...Limits.memoryEvents + 10).map { "E\($0)" })
        #expect(client.analytics.counters.lost == ["memory_full": 11])
        await client.ended()
    }

    @Test("A client that ends before the disk can be read changes no file and counts its lost events")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let user = await firstLaunch(in: folder)
        let disk = locked("/application.json")
        let client = secondLaunch(in: folder, disk)
        client.analytics.identify(userId: "u-2")
        let flush = Task { await client.analytics.flush(timeout: 3600) }
        while client.analytics.held.calls < 4 { await Task.yield() }
        await client.ended()
        #expect(await flush.value != .sent)
        client.analytics.identify(userId: "u-3")
        #expect(client.analytics.counters.lost["memory_full"] == 2)
        let next = Client(time: ManualTime(later: 14_400), folder: folder.url)
        #expect(next.analytics.userInfo == user)
        await next.ended()
    }

    @Test("Without device locks a client begins in memory after a while, and finds its user later")
    func patience() async throws {
        let folder = try TemporaryFolder()
        let user = await firstLaunch(in: folder)
        let disk = locked("/lane-0/")
        let client = Client(time: ManualTime(later: 7200), folder: folder.url) { $0.files(disk).unlockPatience(30) }
        client.analytics.track(name: "E1")
        for _ in 0..<8 {
            client.time.advance(by: 30)
            await client.executed()
        }
        #expect(await client.flushed() == .sent)
        // The clock may pass the deadline of a request that is under way. Then the client sends the batch again.
        #expect(Set(client.server.names) == ["E1"])
        disk.repair()
        client.time.advance(by: Limits.storageCheckInterval)
        await client.executed()
        await client.ended()
        let next = Client(time: ManualTime(later: 14_400), folder: folder.url)
        #expect(next.analytics.userInfo == user)
        await next.ended()
    }
}
