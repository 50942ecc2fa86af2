import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

/// A program that once ran as root leaves files that it may not open as somebody else: the system calls fail with EACCES.
@Suite("Files of another account of the system")
struct ForeignFilesTests {
    static let places = ["/", "/consent.json"]

    private func foreign(_ place: String, _ errno: Int32) -> BrokenDisk {
        let disk = BrokenDisk()
        disk.fail { _, path in (path + "/").contains(place) ? errno : nil }
        return disk
    }

    /// An earlier run with a decision that this account cannot read.
    private func earlierRun(in folder: TemporaryFolder) async {
        let client = Client(folder: folder.url)
        client.analytics.setConsent(.pending)
        await client.executed()
        await client.ended()
    }

    @Test("A client delivers at once, with the consent that is the app's default", arguments: places)
    func granted(place: String) async throws {
        let folder = try TemporaryFolder()
        await earlierRun(in: folder)
        let client = Client(folder: folder.url) { $0.files(foreign(place, EACCES)) }
        client.analytics.identify(userId: "u")
        for name in ["A", "B", "C"] { client.analytics.track(name: name) }
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A", "B", "C"])
        #expect(client.analytics.deliveryState.waiting == 0)
        await client.reported(.storage, count: 1)
        await client.ended()
    }

    @Test("With a default of pending, the events wait, and a flush and the state say why")
    func pending() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.files(foreign("/", EACCES)).consent(.pending) }
        for name in ["A", "B", "C"] { client.analytics.track(name: name) }
        let reason = "the user has not decided about consent; events that wait for it: 3"
        #expect(await client.flushed() == .partly(remaining: 3, reason: reason))
        #expect(client.server.events.isEmpty)
        #expect(client.analytics.deliveryState.waiting == 3)
        #expect(client.analytics.deliveryState.obstacle?.kind == .consent)
        #expect(client.analytics.deliveryState.obstacle?.text == reason)
        client.analytics.setConsent(.granted)
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A", "B", "C"])
        #expect(client.analytics.deliveryState.waiting == 0)
        await client.ended()
    }

    @Test("A decision that a locked device does not show counts as pending, and a flush says so")
    func locked() async throws {
        let folder = try TemporaryFolder()
        let client = Client(folder: folder.url) { $0.files(foreign("/", EPERM)).unlockPatience(30) }
        client.analytics.track(name: "A")
        client.begin()
        for _ in 0..<60 {
            client.time.advance(by: 1)
            await client.executed()
        }
        let reason = "the user's decision about consent cannot be read; events that wait for it: 1"
        #expect(await client.flushed() == .partly(remaining: 1, reason: reason))
        #expect(client.analytics.deliveryState.obstacle?.text == reason)
        await client.ended()
    }
}
