import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat
@testable import Tributary

/// An app that had analytics-ios, and now has this interface with the same set-up: its files are found and go on.
@Suite("Migration from analytics-ios through its own set-up")
struct CompatMigrationTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("TributaryTests/Migration/Golden")

    private let folder = Result { try TemporaryFolder() }

    /// A copy of a golden folder, as it lies in an app.
    private func app(_ name: String) throws -> URL {
        let copy = try folder.get().url.appendingPathComponent(name)
        try FileManager.default.copyItem(at: Self.golden.appendingPathComponent(name), to: copy)
        return copy
    }

    private func client(
        _ app: URL, _ settings: JSON = ["integrations": [:]], _ set: @escaping (AnalyticsConfiguration) -> Void
    ) throws -> CompatClient {
        let storage = try folder.get().url.appendingPathComponent("storage")
        return CompatClient(settings, folder: storage, set) { client in
            client.migration(Migration(eventFolders: { _ in [] }, appFolders: [app], preference: { _, _ in nil }))
        }
    }

    @Test(
        "Ids, traits and queue are migrated; middleware and integrations see only new events",
        arguments: ["analytics-ios-4.1", "analytics-ios-encrypted"])
    func goesOn(name: String) async throws {
        let app = try app(name)
        let (recording, spy) = (RecordingIntegration(), Spy())
        let configure: @Sendable (AnalyticsConfiguration) -> Void = { config in
            if name == "analytics-ios-encrypted" { config.crypto = GoldenCrypto() }
            config.use(TestFactory("A", recording))
            config.sourceMiddleware = [spy]
        }
        let first = try client(app, ["integrations": ["A": [:]]], configure)
        await first.diagnostics.wait(for: .migration, count: 2)
        #expect(first.analytics.getAnonymousId() == "7B3E4A0C-9A53-4D0B-8F0A-2D6C1E5F0A77")
        #expect(first.analytics.userId == "u-77")
        first.analytics.identify("u-77", traits: ["new": 1])
        await first.flushed()
        let sent = first.server.events
        #expect(sent.prefix(5).map { $0["messageId"] } == (1...5).map { .string("ios-\($0)") })
        #expect(sent.count == 6)
        let traits: JSON = [
            "plan": "pro", "address": ["city": "Wörgl"], "newsletter": .null, "new": 1, "userId": "u-77",
            "anonymousId": "7B3E4A0C-9A53-4D0B-8F0A-2D6C1E5F0A77",
        ]
        #expect(sent.last?["traits"]?.objectValue?.count == 6)
        for (key, value) in traits.objectValue ?? [:] { #expect(sent.last?["traits"]?[key] == value) }
        #expect(recording.calls.filter { $0 != "flush" } == ["identify u-77"])
        #expect(spy.types.filter { $0 != .flush } == [.identify])
        await first.ended()
        // The migration happens once: the next launch has a state of its own.
        let second = try client(app, ["integrations": [:]], configure)
        #expect(second.analytics.userId == "u-77")
        await second.flushed()
        #expect(second.server.events.isEmpty)
        await second.ended()
    }

    @Test("With the wrong key no file is migrated or deleted, the failure is reported, and the app begins as new")
    func wrongKey() async throws {
        let app = try app("analytics-ios-encrypted")
        let client = try client(app) { $0.crypto = GoldenCrypto(AES256(key: Array(0..<32), iv: Array(0..<16))) }
        await client.diagnostics.wait(for: .migration, count: 5)
        #expect(client.analytics.userId == nil)
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.names == ["a"])
        let left = try FileManager.default.contentsOfDirectory(atPath: app.path)
        #expect(left.filter { $0.hasPrefix("segmentio.queue.plist") }.count == 1)
        #expect(left.count == 5)
        await client.ended()
    }

    @Test("Damaged files are not migrated, and all other files are")
    func damaged() async throws {
        let app = try app("analytics-ios-4.1")
        let queue = app.appendingPathComponent("segmentio.queue.plist")
        try Data(contentsOf: queue).dropLast(100).write(to: queue)
        try Data([0]).write(to: app.appendingPathComponent("segmentio.userId"))
        let client = try client(app) { _ in }
        await client.diagnostics.wait(for: .migration, count: 3)
        #expect(client.analytics.getAnonymousId() == "7B3E4A0C-9A53-4D0B-8F0A-2D6C1E5F0A77")
        #expect(client.analytics.userId == nil)
        #expect(client.analytics.traits()?["plan"] as? String == "pro")
        let told = client.diagnostics.all(.migration).map(\.message)
        #expect(told.contains { $0.contains("segmentio.userId") })
        #expect(told.contains { $0.contains("segmentio.queue.plist") && $0.contains("leaves it alone") })
        await client.ended()
    }
}

/// An app's `crypto`: the encryption that analytics-ios brings along.
private final class GoldenCrypto: SEGCrypto {
    private let cipher: AES256
    init(_ cipher: AES256 = .golden) { self.cipher = cipher }
    func encrypt(_ data: Data) -> Data? { cipher.encrypt(data) }
    func decrypt(_ data: Data) -> Data? { cipher.decrypt(data) }
}
