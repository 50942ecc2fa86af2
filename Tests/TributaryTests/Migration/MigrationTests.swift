import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Migration from another library")
struct MigrationTests {
    private let golden = Golden()

    private func client(
        _ migration: Migration, _ folder: TemporaryFolder, server: TestServer = TestServer(),
        configure: @escaping (Configuration) -> Void = { _ in }
    ) -> Client {
        Client(server: server, folder: folder.url) { configure($0.migration(migration)) }
    }

    @Test("A migrated client has ids and traits from the first event on")
    func identity() async throws {
        let folder = try TemporaryFolder()
        let first = client(try golden.migration(Golden.swiftPreferences()), folder)
        first.analytics.track(name: "First")
        #expect(await first.flushed() == .sent)
        #expect(first.server.events.first?["anonymousId"] == "5C1B4B4E-0C43-4F4B-9E2C-0B1C1F0E9A01")
        #expect(first.server.events.first?["userId"] == "u-1")
        #expect(first.analytics.traits()?["plan"] as? String == "pro")
        first.analytics.reset()
        let fresh = first.analytics.anonymousId
        await first.ended()
        // The other library's files are still there, but this client has its own state now.
        let second = client(try golden.migration(Golden.swiftPreferences()), folder)
        #expect(second.analytics.anonymousId == fresh)
        #expect(second.analytics.userId == nil)
        await second.ended()
    }

    @Test("Pending events of the other library go to the server only, unchanged and once")
    func events() async throws {
        try golden.copy("analytics-swift")
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.answerSettings(["integrations": ["Segment.io": [:], "Other": [:]]])
        let first = client(try golden.migration(), folder, server: server)
        let other = TestDestination("Other")
        first.analytics.add(plugin: other)
        await first.reported(.migration, count: 8)
        first.analytics.track(name: "Own")
        #expect(await first.flushed() == .sent)
        #expect(first.server.names == ["E1", "E2", "E3", "E4", "E6", "E8", "E10", "E11", "Own"])
        let sent = first.server.events.first
        #expect(sent?["messageId"] == "m-1")
        #expect(sent?["timestamp"] == "2026-01-02T03:04:01.000Z")
        #expect(sent?["anonymousId"] == "a-old")
        #expect(sent?["context"]?["library"]?["name"] == "analytics-swift")
        #expect(other.received.map(\.messageId).count == 1)
        await first.ended()
        // Complete files are deleted, and torn and foreign files stay.
        #expect(try golden.names("analytics-swift/events") == ["13-segment-events", "14-segment-events", "notes.txt"])
        let second = client(try golden.migration(), folder)
        #expect(await second.flushed() == .sent)
        #expect(second.server.events.isEmpty)
        await second.ended()
    }

    @Test("One client takes over the queue of analytics-ios")
    func queue() async throws {
        try golden.copy("analytics-ios")
        let folder = try TemporaryFolder()
        let clients = ["KEY", "OTHER"].map { key in
            Client(folder: folder.url, writeKey: key) { $0.migration((try? golden.migration()) ?? .off) }
        }
        for client in clients { await client.reported(.migration, count: 1) }
        for client in clients { #expect(await client.flushed() == .sent) }
        let sent = clients.flatMap(\.server.events)
        #expect(sent.map { $0["type"] } == ["track", "screen"])
        #expect(sent.first?["messageId"] == "i-1")
        #expect(sent.last?["messageId"]?.stringValue?.hasPrefix("migrated-") == true)
        #expect(clients.map(\.analytics.anonymousId) == ["ios-anon", "ios-anon"])
        #expect(try golden.names("analytics-ios").contains { $0.hasPrefix("segmentio.queue") } == false)
        for client in clients { await client.ended() }
    }

    @Test(
        "Ids, traits and queue of the last analytics-ios are migrated, also encrypted",
        arguments: ["analytics-ios-4.1", "analytics-ios-encrypted"])
    func lastVersion(name: String) async throws {
        try golden.copy(name)
        let migration = try golden.migration(appFolders: [name]).decrypting { AES256.golden.decrypt($0) }
        let client = client(migration, try TemporaryFolder())
        await client.reported(.migration, count: 2)
        #expect(client.analytics.anonymousId == AnalyticsIOSTests.user.anonymousId)
        #expect(client.analytics.userId == "u-77")
        #expect(client.analytics.userInfo.traits == .object(AnalyticsIOSTests.user.traits))
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.map { $0["messageId"] } == (1...5).map { .string("ios-\($0)") })
        #expect(client.server.events.last?["userId"] == "u-78")
        #expect(client.server.events[1]["context"]?["device"]?["id"] == "D-1")
        #expect(try !golden.names(name).contains { $0.hasPrefix("segmentio.queue") })
        await client.ended()
    }

    @Test("On tvOS ids come from preferences and the queue from a file", arguments: [false, true])
    func television(isEncrypted: Bool) async throws {
        let name = isEncrypted ? "analytics-ios-encrypted" : "analytics-ios-4.1"
        try golden.copy(name)
        for file in ["segment.anonymousId", "segmentio.userId", "segmentio.traits.plist"] {
            try FileManager.default.removeItem(at: golden.url("\(name)/\(file)"))
        }
        let preferences = try Golden.appPreferences("com.example.shop\(isEncrypted ? "-encrypted" : "").plist")
        let migration = try golden.migration(preferences, appFolders: [name])
            .decrypting { AES256.golden.decrypt($0) }
        let client = client(migration, try TemporaryFolder())
        await client.reported(.migration, count: 2)
        #expect(client.analytics.anonymousId == AnalyticsIOSTests.user.anonymousId)
        #expect(client.analytics.traits()?["plan"] as? String == "pro")
        #expect(
            client.analytics.inheritedApplication.withLock { $0 } == LegacySDKApplication(version: "2.1", build: "77"))
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.count == 5)
        await client.ended()
    }

    @Test("An encrypted queue is left alone until it can be read")
    func withoutKey() async throws {
        try golden.copy("analytics-ios-encrypted")
        let client = client(try golden.migration(appFolders: ["analytics-ios-encrypted"]), try TemporaryFolder())
        await client.reported(.migration, count: 5)
        #expect(
            client.diagnostics.all(.migration).contains {
                $0.message.contains("may be encrypted; the client leaves it alone")
            })
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.isEmpty)
        let left = try golden.url("analytics-ios-encrypted/segmentio.queue.plist")
        #expect(try [UInt8](Data(contentsOf: left)) == Golden.bytes("analytics-ios-encrypted/segmentio.queue.plist"))
        await client.ended()
    }

    @Test("A migration that was interrupted continues and loses no event")
    func crash() async throws {
        try golden.copy("analytics-swift")
        let folder = try TemporaryFolder()
        let migration = try golden.migration(Golden.swiftPreferences())
        let location = try #require(StorageLocation(mode: .diskAtURL(folder.url), writeKey: "KEY"))
        try FileManager.default.createDirectory(at: location.folder, withIntermediateDirectories: true)
        // The first process finds everything, takes over a part of it, and ends.
        let migrator = Migrator(migration: migration, writeKey: "KEY", folder: location.folder) { _ in }
        #expect(try migrator.begin(isNew: true).user?.userId == "u-1")
        // The first process may have stored its identity or not. The next process continues in both cases.
        let storedIdentity = try Migrator(migration: migration, writeKey: "KEY", folder: location.folder) { _ in }
            .begin(isNew: false)
        #expect(storedIdentity.user == nil)
        #expect(storedIdentity.hasEvents)
        let second = client(migration, folder)
        await second.reported(.migration, count: 8)
        #expect(second.analytics.userId == "u-1")
        #expect(await second.flushed() == .sent)
        #expect(second.server.events.count == 9)
        await second.ended()
    }

    @Test("Files of the other library stay until their events are stored")
    func fullDisk() async throws {
        try golden.copy("analytics-swift")
        let folder = try TemporaryFolder()
        let log = DiagnosticLog()
        let migrator = Migrator(migration: try golden.migration(), writeKey: "KEY", folder: folder.url) { log.add($0) }
        let inheritance = try migrator.begin(isNew: true)
        migrator.carryOver(inheritance) { _ in false }
        await log.wait(for: .migration, count: 5)
        #expect(log.all(.migration).allSatisfy { $0.message.contains("tries again") })
        #expect(try golden.names("analytics-swift/events").count == 6)  // one held no event
        #expect(try migrator.begin(isNew: false).hasEvents)
    }

    @Test("A folder that cannot be listed is migrated later")
    func lockedFolder() async throws {
        try golden.copy("analytics-swift")
        let folder = try TemporaryFolder()
        var locked = try golden.migration()
        locked.names = { _ in throw CocoaError(.fileReadNoPermission) }
        let first = client(locked, folder)
        await first.reported(.migration, count: 1)
        #expect(first.diagnostics.all(.migration).map { $0.message.contains("tries again") } == [true])
        await first.ended()
        let second = client(try golden.migration(), folder)
        await second.reported(.migration, count: 8)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names.filter { $0.hasPrefix("E") } == ["E1", "E2", "E3", "E4", "E6", "E8", "E10", "E11"])
        await second.ended()
    }

    @Test("A migration that waits continues at the next start, also when somebody deletes the folder meanwhile")
    func deletedFolder() async throws {
        try golden.copy("analytics-swift")
        let folder = try TemporaryFolder()
        var locked = try golden.migration()
        locked.names = { _ in throw CocoaError(.fileReadNoPermission) }
        let first = client(locked, folder)
        await first.reported(.migration, count: 1)
        try folder.delete("tributary")
        #expect(await first.flushed() == .sent)
        await first.reported(text: "migration.json")
        await first.ended()
        let second = client(try golden.migration(), folder)
        await second.reported(.migration, count: 8)
        #expect(await second.flushed() == .sent)
        #expect(second.server.names.filter { $0.hasPrefix("E") } == ["E1", "E2", "E3", "E4", "E6", "E8", "E10", "E11"])
        await second.ended()
    }

    @Test("A migration takes over a thousand files at a start and the rest at the next")
    func manyFiles() throws {
        try golden.copy("analytics-swift")
        let events = try golden.url("analytics-swift/events")
        for name in try golden.names("analytics-swift/events") {
            try FileManager.default.removeItem(at: events.appendingPathComponent(name))
        }
        for number in 0..<Limits.migratedFiles + 3 {
            let event = #"{"type":"track","event":"E","messageId":"m-\#(number)"}"#
            try Data(#"{"batch":[\#(event)]}"#.utf8).write(
                to: events.appendingPathComponent("\(number)-segment-events"))
        }
        let folder = try TemporaryFolder()
        let migrator = Migrator(migration: try golden.migration(), writeKey: "KEY", folder: folder.url) { _ in }
        let taken = LockBox(0)
        for left in [3, 0] {
            let inheritance = try migrator.begin(isNew: true)
            #expect(inheritance.hasEvents)
            migrator.carryOverNow(inheritance) { _ in
                taken.withLock { $0 += 1 }
                return true
            }
            #expect(try golden.names("analytics-swift/events").count == left)
        }
        #expect(taken.withLock { $0 } == Limits.migratedFiles + 3)
        #expect(try !migrator.begin(isNew: true).hasEvents)
    }

    @Test("A damaged queue is left alone and reported")
    func damagedQueue() async throws {
        try golden.copy("analytics-ios")
        let queue = try golden.url("analytics-ios/segmentio.queue.plist")
        try Data([0xC3, 0x28, 0x00]).write(to: queue)
        let client = client(try golden.migration(), try TemporaryFolder())
        await client.reported(.migration, count: 2)
        #expect(client.diagnostics.all(.migration).first?.message.contains("leaves it alone") == true)
        #expect(try Data(contentsOf: queue) == Data([0xC3, 0x28, 0x00]))
        #expect(client.analytics.anonymousId == "ios-anon")
        await client.ended()
    }

    @Test("A migrated app does not count as newly installed, also in later processes")
    func installation() async throws {
        let folder = try TemporaryFolder()
        let migration = try golden.migration(["app": ["SEGVersionKey": "2.1", "SEGBuildKeyV2": "77"]])
        for _ in 1...2 {
            let client = client(migration, folder)
            #expect(
                client.analytics.inheritedApplication.withLock { $0 }
                    == LegacySDKApplication(version: "2.1", build: "77"))
            await client.ended()
        }
    }

    @Test("A client with its own state, or without the option, migrates nothing")
    func notNew() async throws {
        try golden.copy("analytics-swift")
        let folder = try TemporaryFolder()
        let first = client(.off, folder)
        let own = first.analytics.anonymousId
        await first.ended()
        let second = client(try golden.migration(Golden.swiftPreferences()), folder)
        #expect(second.analytics.anonymousId == own)
        #expect(await second.flushed() == .sent)
        #expect(second.server.events.isEmpty)
        #expect(try golden.names("analytics-swift/events").count == 7)
        await second.ended()
    }
}
