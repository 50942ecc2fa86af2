import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Consent")
struct ConsentTests {
    private func decide(_ client: Client, _ state: ConsentState, _ categories: [String: Bool]? = nil) async {
        await withCheckedContinuation { done in
            client.analytics.setConsent(state, categories: categories) { done.resume() }
        }
    }

    private func pending(_ folder: TemporaryFolder?, _ server: TestServer = TestServer()) -> Client {
        Client(server: server, folder: folder?.url) { $0.consent(.pending) }
    }

    /// Whether the bytes of a text stand in any file of a folder.
    private func holds(_ text: String, in folder: TemporaryFolder) -> Bool {
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).contains { file in
            guard !file.hasDirectoryPath else { return false }
            // A file that the client deleted meanwhile has no text.
            return (try? Data(contentsOf: file))?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Copies a folder before each step of its disk from now on, as a process that is killed there would leave it.
    private func copies(of folder: TemporaryFolder, at disk: BrokenDisk) -> LockBox<[TemporaryFolder]> {
        let copies = LockBox<[TemporaryFolder]>([])
        disk.fail { _, _ in
            if let copy = try? folder.copy() { copies.withLock { $0.append(copy) } }
            return nil
        }
        return copies
    }

    @Test("A consent decision is on the medium when the call returns", arguments: [ConsentState.granted, .denied])
    func decisionSurvivesPowerCut(_ state: ConsentState) throws {
        let folder = try TemporaryFolder()
        let disk = BrokenDisk()
        let client = Client(folder: folder.url) { $0.consent(.pending).files(disk) }
        let before = disk.syncedFolders.count
        client.analytics.setConsent(state)
        let file = try #require(consentFile(in: folder))
        #expect(disk.syncedFolders.dropFirst(before).contains(file.deletingLastPathComponent().path))
    }

    @Test("While consent is pending no plugin and no destination gets an event", arguments: [true, false])
    func keptApart(onDisk: Bool) async throws {
        let folder = onDisk ? try TemporaryFolder() : nil
        let server = TestServer()
        server.answerSettings(["integrations": ["D": true]])
        let client = pending(folder, server)
        let plugin = Recorder(.before)
        let destination = TestDestination("D")
        client.analytics.add(plugin: plugin)
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "A")
        client.analytics.identify(userId: "u")
        client.analytics.screen(title: "S")
        let reason = "the user has not decided about consent; events that wait for it: 3"
        #expect(await client.flushed() == .partly(remaining: 3, reason: reason))
        #expect(plugin.seen.isEmpty)
        #expect(destination.received.isEmpty)
        #expect(client.server.events.isEmpty)
        #expect(client.analytics.userId == "u")
        await client.ended()
    }

    @Test("After consent the pending events are processed first, in order and once", arguments: [true, false])
    func granted(onDisk: Bool) async throws {
        let folder = onDisk ? try TemporaryFolder() : nil
        let client = pending(folder)
        for number in 1...600 { client.analytics.track(name: "E\(number)") }
        await decide(client, .granted)
        client.analytics.track(name: "Later")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == (1...600).map { "E\($0)" } + ["Later"])
        #expect(client.analytics.counters.processed == 601)
        await client.ended()
    }

    @Test("Events that threads track during the move of pending events come after them, and none is lost")
    func trackedMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let client = pending(folder)
        for number in 1...2000 { client.analytics.track(name: "E\(number)") }
        client.analytics.setConsent(.granted)
        await withTaskGroup(of: Void.self) { group in
            for thread in 1...3 {
                group.addTask { [analytics = client.analytics] in
                    for number in 1...500 { analytics.track(name: "T\(thread)-\(number)") }
                }
            }
        }
        #expect(await client.flushed() == .sent)
        #expect(client.server.names.count == 3500)
        #expect(Array(client.server.names.prefix(2000)) == (1...2000).map { "E\($0)" })
        for thread in 1...3 {
            let own = client.server.names.filter { $0.hasPrefix("T\(thread)-") }
            #expect(own == (1...500).map { "T\(thread)-\($0)" })
        }
        await client.ended()
    }

    @Test("A flush right after the consent covers the pending events")
    func flushAfterConsent() async throws {
        let folder = try TemporaryFolder()
        let client = pending(folder)
        client.analytics.track(name: "A")
        client.analytics.setConsent(.granted)
        client.analytics.track(name: "B")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A", "B"])
        await client.ended()
    }

    @Test("A refusal deletes the pending events and the ids, and stops collection")
    func denied() async throws {
        let folder = try TemporaryFolder()
        let client = pending(folder)
        client.analytics.identify(userId: "hidden-user", traits: ["mail": "hidden-trait"])
        client.analytics.track(name: "hidden-event")
        let anonymousId = client.analytics.anonymousId
        #expect(holds("hidden-user", in: folder))
        await decide(client, .denied)
        for trace in ["hidden-user", "hidden-trait", "hidden-event", anonymousId] {
            #expect(!holds(trace, in: folder), "\(trace)")
        }
        #expect(client.analytics.userId == nil)
        #expect(client.analytics.anonymousId != anonymousId)
        client.analytics.track(name: "B")
        client.analytics.identify(userId: "nobody")
        #expect(client.analytics.userId == nil)
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.isEmpty)
        await client.ended()
        let next = Client(folder: folder.url)
        #expect(next.analytics.consent == .denied)
        next.analytics.track(name: "C")
        #expect(await next.flushed() == .sent)
        #expect(next.server.events.isEmpty)
        await decide(next, .granted)
        next.analytics.track(name: "D")
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == ["D"])
        let kept = next.analytics.anonymousId
        await next.ended()
        let last = Client(folder: folder.url)
        #expect(last.analytics.anonymousId == kept)
        await last.ended()
    }

    @Test("Withdrawn consent resets plugins, and events that were tracked with consent are delivered")
    func takenBack() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url, settings: ["integrations": ["D": true]])
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        client.analytics.identify(userId: "u")
        await decide(client, .denied)
        client.analytics.track(name: "Not this")
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.map { $0["type"]?.stringValue } == ["identify"])
        #expect(destination.resets == 1)
        await client.ended()
    }

    @Test("A process that ends before the decision leaves pending events and user to the next one")
    func acrossLaunches() async throws {
        let folder = try TemporaryFolder()
        let first = pending(folder)
        first.analytics.identify(userId: "u")
        first.analytics.track(name: "A")
        await first.ended()
        let second = pending(folder)
        #expect(second.analytics.userId == "u")
        second.analytics.track(name: "B")
        #expect(await second.flushed() != .sent)
        #expect(second.server.events.isEmpty)
        await decide(second, .granted)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["A", "B"])
        #expect(Set(second.server.events.map { $0["anonymousId"]?.stringValue }) == [second.analytics.anonymousId])
        await second.ended()
        let third = pending(folder)
        #expect(third.analytics.consent == .granted)
        #expect(third.analytics.userId == "u")
        third.analytics.track(name: "C")
        #expect(await third.flushed() == .sent)
        #expect(third.server.names == ["C"])
        await third.ended()
    }

    @Test("A kill at any step of the move loses and repeats no pending event")
    func killedWhileMoving() async throws {
        let folder = try TemporaryFolder()
        let disk = BrokenDisk()
        let server = TestServer()
        server.silenceSettings()  // nothing is sent before the copies are
        let client = Client(server: server, folder: folder.url) { $0.consent(.pending).files(disk) }
        for number in 1...5 { client.analytics.track(name: "E\(number)") }
        client.analytics.identify(userId: "u")
        let copies = copies(of: folder, at: disk)
        await decide(client, .granted)
        disk.repair()
        let left = copies.withLock { $0 } + [try folder.copy()]
        #expect(left.count > 5)
        for copy in left {
            let next = Client(time: ManualTime(later: 3600), folder: copy.url)
            if next.analytics.consent != .granted { await decide(next, .granted) }
            next.analytics.track(name: "Later")
            #expect(await next.flushed() == .sent)
            #expect(next.server.names == (1...5).map { "E\($0)" } + ["Later"])
            #expect(next.server.events.count == 7)
            #expect(next.analytics.userId == "u")
            await next.ended()
        }
        await client.ended()
    }

    @Test("After a kill right after the refusal, the next process has no pending events")
    func killedWhileDeleting() async throws {
        let folder = try TemporaryFolder()
        let disk = BrokenDisk()
        let client = Client(folder: folder.url) { $0.consent(.pending).files(disk) }
        client.analytics.identify(userId: "hidden-user")
        let copies = copies(of: folder, at: disk)
        await decide(client, .denied)
        disk.repair()
        let left = copies.withLock { $0 }
        #expect(!left.isEmpty)
        for copy in left {
            let next = Client(folder: copy.url)
            guard next.analytics.consent == .denied else {
                await next.ended()
                continue  // of before the decision
            }
            #expect(next.analytics.userId == nil)
            #expect(!holds("hidden-user", in: copy))
            #expect(await next.flushed() == .sent)
            #expect(next.server.events.isEmpty)
            await next.ended()
        }
        await client.ended()
    }

    @Test("Pending events whose files could not be made at first are there at the next start")
    func pendingOnLateDisk() async throws {
        let (folder, disk) = (try TemporaryFolder(), BrokenDisk())
        disk.fail { operation, path in operation == .make && path.hasSuffix("/pending") ? 30 : nil }
        let client = Client(folder: folder.url) { $0.files(disk).consent(.pending) }
        client.analytics.track(name: "E1")
        disk.repair()
        client.analytics.track(name: "E2")
        await client.ended()
        let next = pending(folder)
        #expect(next.analytics.deliveryState.waiting == 2)
        await decide(next, .granted)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == ["E1", "E2"])
        await next.ended()
    }

    @Test("Pending events of another process follow the decision too")
    func otherLane() async throws {
        let folder = try TemporaryFolder()
        let first = pending(folder)
        let second = pending(folder)
        first.analytics.track(name: "A")
        second.analytics.track(name: "B")
        await first.ended()
        await second.ended()
        let server = TestServer()
        let next = pending(folder, server)
        await decide(next, .granted)
        #expect(await next.flushed() == .sent)
        await server.confirmed(2)
        #expect(server.names.sorted() == ["A", "B"])
        await next.ended()
    }

    @Test("Opting out is kept across launches, and so is opting in again")
    func optOut() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.enabled = false
        first.analytics.track(name: "A")
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(second.analytics.enabled == false)
        second.analytics.track(name: "B")
        #expect(await second.flushed() == .sent)
        #expect(second.server.events.isEmpty)
        second.analytics.enabled = true
        second.analytics.track(name: "C")
        #expect(await second.flushed() == .sent)
        #expect(second.server.names == ["C"])
        await second.ended()
    }

    @Test("A decision that cannot be read counts as not made")
    func damagedFile() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.enabled = false
        await first.ended()
        let file = folder.url.appendingPathComponent("tributary/KEY/consent.json")
        try Data("{\"consent\":".utf8).write(to: file)
        let second = Client(folder: folder.url)
        #expect(second.analytics.consent == .pending)
        second.analytics.track(name: "A")
        #expect(await second.flushed() != .sent)
        #expect(second.server.events.isEmpty)
        await second.reported(.storage, count: 1)
        await second.ended()
    }

    @Test("A destination gets events only when all of its categories are allowed")
    func categories() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerSettings([
            "integrations": [
                "Ads": ["consentSettings": ["categories": ["advertising", "analytics"]]],
                "Charts": ["consentSettings": ["categories": ["analytics"]]], "Free": true,
            ]
        ])
        let client = Client(server: server, folder: folder.url)
        let destinations = ["Ads", "Charts", "Free"].map(TestDestination.init)
        for destination in destinations { client.analytics.add(plugin: destination) }
        await decide(client, .granted, ["advertising": false, "analytics": true])
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(destinations.map(\.received.count) == [0, 1, 1])
        #expect(
            server.events.first?["context"]?["consent"]
                == ["categoryPreferences": ["advertising": false, "analytics": true]])
        await client.ended()
        let next = Client(server: server, folder: folder.url)
        #expect(next.analytics.consentCategories == ["advertising": false, "analytics": true])
        let ads = TestDestination("Ads")
        next.analytics.add(plugin: ads)
        next.analytics.track(name: "B")
        await next.processed()
        #expect(ads.received.isEmpty)
        await decide(next, .granted, ["advertising": true, "analytics": true])
        next.analytics.track(name: "C")
        await next.processed()
        #expect(ads.received.count == 1)
        await next.ended()
    }

    @Test("The server gets no event when the user refused all destinations behind it")
    func noDestination() async {
        let server = TestServer()
        server.answerSettings([
            "integrations": ["Segment.io": [:]],
            "consentSettings": ["allCategories": ["a", "b"], "hasUnmappedDestinations": false],
        ])
        let client = Client(server: server)
        await decide(client, .granted, ["a": false, "b": false])
        client.analytics.track(name: "A")
        await client.processed()
        await decide(client, .granted, ["a": false, "b": true])
        client.analytics.track(name: "B")
        #expect(await client.flushed() == .sent)
        #expect(server.names == ["B"])
    }

    @Test("A refusal deletes the session and its stored state; a new consent starts counting over")
    func session() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url)
        let sessions = Sessions()
        client.analytics.add(plugin: sessions)
        client.analytics.track(name: "A")
        sessions.start()
        client.analytics.track(name: "B")
        await client.flushed()
        let id = try #require(sessions.current?.id)
        #expect(sessionFile(in: folder) != nil)
        client.analytics.track(name: "C")  // with consent, and processed after the refusal
        await decide(client, .denied)
        await client.flushed()
        #expect(sessionFile(in: folder) == nil)
        #expect(sessions.current == nil)
        #expect(client.server.events.last?["context"]?["session"]?["id"]?.stringValue == id)
        await decide(client, .granted)
        client.analytics.track(name: "D")
        await client.flushed()
        let session = client.server.events.last?["context"]?["session"]
        #expect(session?["index"] == 1 && session?["id"]?.stringValue != id)
        await client.ended()
    }

    @Test("A refusal deletes the session that an ended process left")
    func leftSession() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.add(plugin: Sessions())
        first.analytics.track(name: "A")
        await first.flushed()
        await first.ended()
        let killed = try folder.copy()
        let second = Client(folder: folder.url)
        await decide(second, .denied)
        #expect(sessionFile(in: folder) == nil)
        await second.ended()
        // The process is killed between the decision and the deletion.
        try FileManager.default.copyItem(
            at: try #require(consentFile(in: folder)),
            to: try #require(sessionFile(in: killed)).deletingLastPathComponent().appendingPathComponent("consent.json")
        )
        let third = Client(folder: killed.url)
        #expect(sessionFile(in: killed) == nil)
        await third.ended()
    }

    private func file(_ name: String, in folder: TemporaryFolder) -> URL? {
        let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        return files?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name }
    }

    private func consentFile(in folder: TemporaryFolder) -> URL? { file("consent.json", in: folder) }
    private func sessionFile(in folder: TemporaryFolder) -> URL? { file("session.json", in: folder) }
}
