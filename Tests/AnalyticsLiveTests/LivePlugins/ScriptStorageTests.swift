import Foundation
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("The storage of scripts")
struct ScriptStorageTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let problems = LockBox<[String]>([])

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appendingPathComponent("live-plugins-storage.json")
    }

    private func storage() -> ScriptStorage {
        ScriptStorage(folder: KeptFolder(folder.url)) { [problems] text in problems.withLock { $0.append(text) } }
    }

    @Test("Stored values outlive the process, in a private file")
    func kept() throws {
        try storage().set(["n": 9_007_199_254_740_993], forKey: "a")
        #expect(storage()["a"] == ["n": 9_007_199_254_740_993])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(problems.withLock { $0.isEmpty })
    }

    @Test(
        "A damaged storage file is set aside and reported, and never overwritten",
        arguments: [
            "", "{\"a\":1", "[1]", "null", "{}" + String(repeating: " ", count: LivePluginLimits.stateFileBytes),
        ])
    func damaged(text: String) throws {
        try Data(text.utf8).write(to: file)
        let storage = storage()
        #expect(storage["a"] == nil)
        #expect(
            problems.withLock { $0 }
                == ["live-plugins-storage.json is damaged, it is now live-plugins-storage.json.damaged-1"])
        try storage.set(2, forKey: "a")
        #expect(self.storage()["a"] == 2)
        #expect(try Data(contentsOf: file.appendingPathExtension("damaged-1")) == Data(text.utf8))
    }

    @Test("The number of files that are set aside as damaged is bounded")
    func bounded() throws {
        for number in 1...(LivePluginLimits.damagedFiles + 2) {
            try Data("\(number)".utf8).write(to: file)
            _ = storage()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == LivePluginLimits.damagedFiles)
        #expect(try String(contentsOf: file.appendingPathExtension("damaged-1"), encoding: .utf8) == "1")
        let last = file.appendingPathExtension("damaged-\(LivePluginLimits.damagedFiles)")
        #expect(try String(contentsOf: last, encoding: .utf8) == "\(LivePluginLimits.damagedFiles + 2)")
    }

    @Test("A storage file that cannot be read now is kept; values that are stored meanwhile are merged later")
    func unreadable() throws {
        let first = storage()
        for (key, value) in ["a": 1, "b": 2, "c": 3] as [String: JSON] { try first.set(value, forKey: key) }
        let elsewhere = folder.url.appendingPathComponent("elsewhere")
        try FileManager.default.moveItem(at: file, to: elsewhere)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let second = storage()
        #expect(second["a"] == nil)
        try second.set(20, forKey: "b")
        try second.set(nil, forKey: "c")
        #expect(second["b"] == 20)
        #expect(problems.withLock { $0.count } == 1)
        #expect(problems.withLock { $0.first }?.contains("cannot be read now and is left alone") == true)
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && isFolder.boolValue)

        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: elsewhere, to: file)
        #expect(second["a"] == 1)
        let third = storage()
        #expect(third["a"] == 1 && third["b"] == 20 && third["c"] == nil)
    }

    @Test("A failed write of the storage is reported, and repeated with the next value")
    func behind() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let storage = storage()
        try storage.set(1, forKey: "a")
        // A link that leads nowhere, in the folder's place: there is no file, and none can be made.
        try FileManager.default.removeItem(at: folder.url)
        try FileManager.default.createSymbolicLink(
            at: folder.url, withDestinationURL: folder.url.appendingPathExtension("gone"))
        #expect(storage["a"] == 1)
        #expect(storage["a"] == 1)
        #expect(problems.withLock { $0.filter { $0.contains("cannot be written") }.count } == 1)

        try FileManager.default.removeItem(at: folder.url)
        try storage.set(1, forKey: "a")
        #expect(self.storage()["a"] == 1)
    }

    @Test("A file in the folder's place fails the write, and the value is as before")
    func fileInPlaceOfFolder() throws {
        let storage = storage()
        try storage.set(0, forKey: "z")
        try FileManager.default.removeItem(at: folder.url)
        try Data().write(to: folder.url)
        #expect(throws: (any Error).self) { try storage.set(1, forKey: "a") }
        #expect(storage["a"] == nil && storage["z"] == 0)

        try FileManager.default.removeItem(at: folder.url)
        try storage.set(1, forKey: "a")
        #expect(self.storage()["a"] == 1 && self.storage()["z"] == 0)
    }

    @Test("A deleted folder is made again with the next value")
    func deletedFolder() throws {
        let storage = storage()
        try storage.set(1, forKey: "a")
        try FileManager.default.removeItem(at: folder.url)
        try storage.set(2, forKey: "b")
        #expect(self.storage()["a"] == 1 && self.storage()["b"] == 2)
        #expect(problems.withLock { $0.isEmpty })
    }

    @Test("Without consent nothing is written to disk; values are written when the user agrees")
    func refused() throws {
        try storage().set("u-1", forKey: "user")
        try Data("{".utf8).write(to: file.appendingPathExtension("damaged-1"))
        let isAllowed = LockBox(false)
        let storage = ScriptStorage(folder: KeptFolder(folder.url), mayKeep: { isAllowed.withLock { $0 } })
        #expect(storage["user"] == nil)
        try storage.set(1, forKey: "count")
        #expect(storage["count"] == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])

        isAllowed.withLock { $0 = true }
        try storage.set(2, forKey: "other")
        #expect(self.storage()["count"] == 1 && self.storage()["other"] == 2)
    }

    @Test("A refusal deletes the storage and the variables of scripts, also for a later consent")
    func forgotten() async throws {
        let client = Deployment.client(
            """
            let seen = 0
            class Count extends LivePlugin {
                track(event) {
                    seen += 1
                    storage.setValue("count", (storage.getValue("count") ?? 0) + 1)
                    event.properties = { seen, count: storage.getValue("count") }
                    return event
                }
            }
            analytics.add(new Count(LivePluginType.enrichment))
            """, folder: folder.url)
        for name in ["A", "B"] { client.analytics.track(name: name) }
        await client.flushed()
        #expect(client.server.events.last?["properties"] == ["seen": 2, "count": 2])
        #expect(try isStored())
        await decide(client, .denied)
        await client.flushed()
        #expect(try !isStored())
        await decide(client, .granted)
        client.analytics.track(name: "C")
        await client.flushed()
        #expect(client.server.events.last?["properties"] == ["seen": 1, "count": 1])
        await client.ended()
    }

    private func isStored() throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            .contains { $0.contains("live-plugins-storage.json") }
    }

    private func decide(_ client: Client, _ state: ConsentState) async {
        await withCheckedContinuation { done in client.analytics.setConsent(state) { done.resume() } }
    }

    @Test("A damaged storage file is reported, and scripts go on")
    func reported() async throws {
        let counting = """
            class Count extends LivePlugin {
                track(event) {
                    storage.setValue("count", (storage.getValue("count") ?? 0) + 1)
                    event.properties.count = storage.getValue("count")
                    return event
                }
            }
            analytics.add(new Count(LivePluginType.enrichment))
            """
        for launch in 1...2 {
            let client = Deployment.client(counting, folder: folder.url)
            client.analytics.track(name: "A", properties: ["launch": launch])
            await client.flushed()
            #expect(client.server.events.first?["properties"]?["count"] == 1)
            if launch == 2 { await client.reported(text: "live-plugins-storage.json is damaged") }
            await client.ended()
            let path = try #require(
                try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
                    .first { $0.hasSuffix("live-plugins-storage.json") })
            try Data("{\"count\":".utf8).write(to: folder.url.appendingPathComponent(path))
        }
    }
}
