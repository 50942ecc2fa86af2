import Foundation
import TestSupport
import Testing
import TributaryJournal

@testable import Tributary

/// Somebody deletes files of a running client: a cleaner, a test, a user in the shell.
@Suite("Files that are deleted under a running client")
struct DeletedFilesTests {
    private static let key = "tributary/KEY"

    private func client(_ folder: TemporaryFolder, server: TestServer = TestServer(), later: TimeInterval = 0) -> Client
    {
        Client(server: server, time: ManualTime(later: later), folder: folder.url) { $0.flushPolicies([]) }
    }

    /// A client with a user, a decision and an event that waits.
    private func running(_ folder: TemporaryFolder) async -> Client {
        let client = client(folder)
        client.analytics.setConsent(.granted, categories: ["ads": false])
        client.analytics.identify(userId: "user-1", traits: ["plan": "gold"])
        client.analytics.track(name: "Before")
        await client.processed()
        return client
    }

    /// Deletes a folder and writes a file in its place. A client that saves a decision meanwhile makes the folder again, so this
    /// deletes it again until the file is there.
    private func putFile(at place: URL) throws {
        for attempt in 1... {
            try? FileManager.default.removeItem(at: place)
            do {
                return try Data("a file".utf8).write(to: place)
            } catch  where attempt < 100 {
                continue
            }
        }
    }

    /// What the next process finds.
    private func expectAll(_ folder: TemporaryFolder, _ names: [String]) async {
        let next = client(folder, later: 3600)
        #expect(next.analytics.userId == "user-1")
        #expect(next.analytics.traits()?["plan"] as? String == "gold")
        #expect(next.analytics.consentCategories == ["ads": false])
        #expect(await next.flushed() == .sent)
        #expect(next.server.names.filter { !$0.isEmpty } == names)
        await next.ended()
    }

    @Test(
        "Events, the user and the decision are there at the next start",
        arguments: [
            key, "tributary", "\(key)/lane-0", "\(key)/lane-0/inbox", "\(key)/lane-0/outbox",
            "\(key)/lane-0/inbox/lock",
            "\(key)/lane-0/outbox/mark", "\(key)/consent.json", "\(key)/settings.json", "\(key)/application.json",
        ])
    func folders(path: String) async throws {
        let folder = try TemporaryFolder()
        let client = await running(folder)
        let isThere = FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(path).path)
        if isThere { try folder.delete(path) }
        // The next event after a second is when the client looks.
        client.time.advance(by: 2)
        client.analytics.track(name: "After")
        await client.processed()
        // The check comes after the turn, and a new mark is written without a report.
        if isThere, !path.hasSuffix("mark") { await client.reported(reason: "recovered") }
        #expect(client.analytics.storageState.survivesProcess)
        if isThere, !path.hasSuffix("mark") {
            #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(path).path))
        }
        await client.ended()
        await expectAll(folder, ["Before", "After"])
    }

    @Test("An event right after the deletion survives the end of the client")
    func atTheEnd() async throws {
        let folder = try TemporaryFolder()
        let client = await running(folder)
        try folder.delete("tributary")
        #expect(client.analytics.storageState.reason == .missing)
        client.analytics.track(name: "After")
        await client.ended()
        await expectAll(folder, ["Before", "After"])
    }

    @Test("A flush makes the files again, even when nothing waits")
    func flush() async throws {
        let folder = try TemporaryFolder()
        let client = await running(folder)
        #expect(await client.flushed() == .sent)
        try folder.delete(Self.key)
        #expect(await client.flushed() == .sent)
        #expect(client.analytics.storageState.survivesProcess)
        await client.reported(text: "consent.json")
        await client.ended()
        await expectAll(folder, [])
    }

    @Test("A decision of the user makes the folder again")
    func decision() async throws {
        let folder = try TemporaryFolder()
        let client = await running(folder)
        try folder.delete(Self.key)
        client.analytics.setConsent(.denied)
        await client.ended()
        let next = self.client(folder, later: 3600)
        #expect(next.analytics.consent == .denied)
        await next.ended()
    }

    @Test(
        "A file in the place of a folder is reported, and events go from memory until the folder can be made",
        arguments: [
            Self.key, "tributary", "\(Self.key)/lane-0", "\(Self.key)/lane-0/inbox", "\(Self.key)/lane-0/outbox",
        ])
    func fileInPlaceOfFolder(path: String) async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        let client = client(folder, server: server)
        client.analytics.setConsent(.granted, categories: ["ads": false])
        client.analytics.identify(userId: "user-1", traits: ["plan": "gold"])
        client.analytics.track(name: "Before")
        await client.processed()
        let place = folder.url.appendingPathComponent(path)
        try putFile(at: place)
        client.time.advance(by: 2)
        client.analytics.track(name: "Meanwhile")
        await client.processed()
        await client.reported(reason: "missing")
        // An event is safe in the inbox, also without an outbox.
        #expect(client.analytics.storageState.reason == (path.hasSuffix("outbox") ? nil : .missing))
        #expect(await client.flushed() == .sent)
        #expect(server.names.filter { !$0.isEmpty } == ["Before", "Meanwhile"])
        client.analytics.setConsent(.granted, categories: ["ads": false])
        client.analytics.reset()
        client.analytics.identify(userId: "user-1", traits: ["plan": "gold"])
        try FileManager.default.removeItem(at: place)
        client.time.advance(by: Limits.storageCheckInterval)
        client.analytics.track(name: "After")
        await client.processed()
        await client.reported(reason: "recovered")
        #expect(client.analytics.storageState.survivesProcess)
        await client.ended()
        await expectAll(folder, ["After"])
    }

    @Test("A client that finds a file in the place of its folder begins in memory, says so, and sends")
    func fileAtStart() async throws {
        for path in ["tributary", Self.key, "\(Self.key)/lane-0"] {
            let folder = try TemporaryFolder()
            let place = folder.url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("a file".utf8).write(to: place)
            let client = client(folder)
            client.analytics.identify(userId: "user-1")
            client.analytics.track(name: "Event")
            await client.processed()
            #expect(client.analytics.storageState.reason != nil, "\(path)")
            #expect(client.analytics.storageState.detail != nil, "\(path)")
            await client.reported(.storage, count: 1)
            #expect(await client.flushed() == .sent)
            #expect(client.server.names.contains("Event"), "\(path)")
            #expect(try Data(contentsOf: place) == Data("a file".utf8))
            await client.ended()
        }
    }

    @Test("Events that wait for consent are there at the next start")
    func pending() async throws {
        let folder = try TemporaryFolder()
        let client = client(folder)
        client.analytics.setConsent(.pending)
        client.analytics.identify(userId: "user-1")
        client.analytics.track(name: "Before")
        await client.processed()
        try folder.delete("tributary")
        client.time.advance(by: 2)
        client.analytics.track(name: "After")
        await client.processed()
        await client.ended()
        let next = self.client(folder, later: 3600)
        #expect(next.analytics.consent == .pending)
        #expect(next.analytics.userId == "user-1")
        next.analytics.setConsent(.granted)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names.filter { !$0.isEmpty } == ["Before", "After"])
        await next.ended()
    }

    @Test("A file that the client deleted itself does not come back")
    func deletedByClient() async throws {
        let folder = try TemporaryFolder()
        let files = KeptFiles()
        let file = KeptFile(folder.url.appendingPathComponent("deep/a.json"), PosixFileSystem(), files)
        try file.replace(with: [1, 2])
        try folder.delete("deep")
        #expect(files.restore(PosixFileSystem()) == ["a.json"])
        #expect(try file.read() == [1, 2])
        try file.remove()
        #expect(files.restore(PosixFileSystem()).isEmpty)
        #expect(try file.read() == nil)
    }
}
