import Foundation
import Logging
import TestSupport
import Testing
import Tributary

@testable import AnalyticsLive

@Suite("The life of a bundle")
struct BundleLifeTests {
    @Test(
        "An event names the deployed version that it went through, so that the workspace does not take it through again"
    )
    func namedInEvents() async throws {
        let client = Deployment.client(version: 3, Deployment.stamp(3))
        client.analytics.track(name: "A")
        await client.flushed()
        await client.deploy(version: 4, Deployment.stamp(4))
        client.analytics.track(name: "B")
        await client.flushed()
        let metadata = client.server.events.compactMap { $0["_metadata"] }
        #expect(metadata.map { $0["livePlugins"] } == [["device": 3], ["device": 4]])
        #expect(metadata.allSatisfy { $0["unbundled"] == ["Amplitude"] })
        await client.ended()
    }

    // MARK: Signatures

    private static let key = SigningKey()
    private static var publicKey: String { key.publicKey.base64EncodedString() }

    private static func signature(of script: String, by key: SigningKey = key) throws -> String {
        try key.signature(for: Data(script.utf8)).base64EncodedString()
    }

    @Test("A bundle with the app's signature runs, also at the next launch")
    func signed() async throws {
        let folder = try TemporaryFolder()
        let script = Deployment.stamp(1)
        for status in [200, 503] {
            let client = Deployment.client(
                script, status: status, signature: try Self.signature(of: script),
                plugin: LivePlugins(fallbackFileURL: nil, publicKey: Self.publicKey), folder: folder.url)
            client.analytics.track(name: "A")
            await client.flushed()
            #expect(client.bundles == [1])
            await client.ended()
        }
    }

    @Test(
        "A bundle without the app's signature does not run",
        arguments: ["none", "other key", "other text", "no base 64"])
    func unsigned(how: String) async throws {
        let script = Deployment.stamp(1)
        let signature: String? =
            switch how {
            case "none": nil
            case "other key": try Self.signature(of: script, by: SigningKey())
            case "other text": try Self.signature(of: script + " ")
            default: "!"
            }
        let client = Deployment.client(
            script, signature: signature, plugin: LivePlugins(fallbackFileURL: nil, publicKey: Self.publicKey))
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.bundles == [nil])
        await client.reported(text: how == "none" ? "it is not signed" : "its signature is not one of the app's")
        await client.ended()
    }

    @Test("A bundle that was stored before the app wanted signatures no longer runs")
    func storedWithoutSignature() async throws {
        let folder = try TemporaryFolder()
        let first = Deployment.client(Deployment.stamp(1), folder: folder.url)
        first.analytics.track(name: "A")
        await first.flushed()
        await first.ended()
        let second = Deployment.client(
            "", status: 503, plugin: LivePlugins(fallbackFileURL: nil, publicKey: Self.publicKey), folder: folder.url)
        second.analytics.track(name: "B")
        await second.flushed()
        #expect(second.bundles == [nil])
        await second.ended()
    }

    @Test("A malformed public key lets no bundle run and is reported")
    func badKey() async {
        let client = Deployment.client(
            Deployment.stamp(1), plugin: LivePlugins(fallbackFileURL: nil, publicKey: "key"))
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.bundles == [nil])
        await client.reported(text: "public key is not the 32 bytes")
        await client.ended()
    }

    // MARK: Quarantine

    #if os(Linux)
    /// A script that loops when it is loaded.
    private static let loop = "for (;;);"
    private static let budget = LivePluginBudget(loadSeconds: 0.02)

    @Test("A version that broke its budget does not run again, and the version before it runs at the next launch")
    func quarantine() async throws {
        let folder = try TemporaryFolder()
        let first = Deployment.client(
            Deployment.stamp(1), plugin: LivePlugins(fallbackFileURL: nil, budget: Self.budget), folder: folder.url)
        first.analytics.track(name: "A")
        await first.flushed()
        await first.deploy(version: 2, Self.loop, until: "is in quarantine")
        first.analytics.track(name: "B")
        await first.flushed()
        #expect(first.bundles == [1, 1])
        await first.ended()

        let second = Deployment.client(
            version: 2, Self.loop, plugin: LivePlugins(fallbackFileURL: nil, budget: Self.budget), folder: folder.url)
        second.analytics.track(name: "C")
        await second.flushed()
        #expect(second.bundles == [1])
        await second.reported(text: "version 2 does not run again: it exceeded its budget")
        #expect(!second.liveMessages.contains { $0.contains("refused") })
        await second.deploy(version: 3, Deployment.stamp(3))
        second.analytics.track(name: "D")
        await second.flushed()
        #expect(second.bundles == [1, 3])
        await second.ended()
    }

    @Test("A fallback file that breaks its budget does not run again", .timeLimit(.minutes(30)))
    func quarantinedFallback() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fallback.js")
        try Data(Self.loop.utf8).write(to: file)
        for launch in 1...2 {
            let client = Deployment.client(
                "", plugin: LivePlugins(fallbackFileURL: file, force: true, budget: Self.budget), folder: folder.url)
            client.analytics.track(name: "A")
            await client.flushed()
            await client.reported(text: launch == 1 ? "fallback is refused" : "fallback does not run again")
            await client.ended()
        }
    }

    // MARK: Crashes

    /// Ends the process, as a crash would, when a script says a word.
    private struct Killer: LogHandler {
        let word: String
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            if event.message.description == word { kill(getpid(), SIGKILL) }
        }
    }

    private static func dying(
        in path: String, _ script: String, version: Int, name: String = "A", word: String = "die"
    ) async {
        let client = Deployment.client(
            version: version, script, folder: URL(fileURLWithPath: path)
        ) { $0.logger(Logger(label: "test") { _ in Killer(word: word) }) }
        client.analytics.track(name: name)
        await client.flushed()
        await client.ended()
    }

    private static let killsInEvents = """
        class Bad extends LivePlugin { track(event) { console.log("die"); return event } }
        analytics.add(new Bad(LivePluginType.enrichment, null))
        """

    @Test(
        "A version during whose work the app ended twice does not run again",
        arguments: [killsInEvents, "console.log('die')"])
    func crashLoop(script: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            await Self.dying(in: path, Deployment.stamp(1), version: 1)
        }
        for _ in 1...2 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, script = script as String] in
                await Self.dying(in: path, script, version: 2)
            }
        }
        let client = Deployment.client(version: 2, script, folder: folder.url)
        await client.flushed()
        await client.reported(text: "version 2 is in quarantine: the app ended 2 times in a row during the same work")
        await client.reported(text: "version 1 runs")
        #expect(client.server.names.contains("A"))
        #expect(client.bundles.last == 1)
        await client.ended()
    }

    private static let names = """
        class Names extends LivePlugin { track(event) { console.log(event.event); return event } }
        analytics.add(new Names(LivePluginType.enrichment))
        """

    @Test("A version that runs whenever the app is killed, at different work, is not quarantined")
    func ordinaryDeaths() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path
        for number in 1...3 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, number = number as Int] in
                await Self.dying(in: path, Self.names, version: 1, name: "E\(number)", word: "E\(number)")
            }
        }
        // The client sends no event yet: it waits a while after launches that ended during a delivery.
        let client = Deployment.client(Self.names, folder: folder.url)
        await client.processed()
        await client.reported(text: "the app ended while version 1 was running")
        await client.reported(text: "version 1 runs: Names")
        #expect(!client.liveMessages.contains { $0.contains("quarantine") })
        await client.ended()
    }
    #endif

    @Test("An end of the process outside of scripts counts against no bundle")
    func innocentDeath() throws {
        let folder = try TemporaryFolder()
        let bundle = BundleIdentity(version: "1", sha256: "00")
        let marker = RunMarker(folder: KeptFolder(folder.url), name: "lane-0")
        try marker.begin(bundle)
        marker.enter(.load)
        marker.leave()
        #expect(try RunMarker(folder: KeptFolder(folder.url), name: "lane-0").examine() == nil)
        marker.enter(.load)
        marker.enter(.flush)
        marker.leave()
        #expect(
            try RunMarker(folder: KeptFolder(folder.url), name: "lane-0").examine() == .init(bundle: bundle, count: 1))
        #expect(try RunMarker(folder: KeptFolder(folder.url), name: "lane-1").examine() == nil)
    }

    /// Runs a process that does some work and ends in the last piece of work. Returns how often in a row it ended
    /// there.
    private func life(
        in folder: TemporaryFolder, _ works: [ScriptWork], of version: String = "1"
    ) throws -> Int? {
        let marker = RunMarker(folder: KeptFolder(folder.url), name: "lane-0")
        _ = try marker.examine()
        try marker.begin(BundleIdentity(version: version, sha256: "00"))
        for work in works {
            marker.enter(work)
            if work != works.last { marker.leave() }
        }
        return try RunMarker(folder: KeptFolder(folder.url), name: "lane-0").examine()?.count
    }

    @Test("Ends at the same work add up over launches, but not for another version")
    func deathsAdd() throws {
        let folder = try TemporaryFolder()
        let event = ScriptWork.event(["messageId": "m-1"])
        for count in 1...3 { #expect(try life(in: folder, [.load, .update, event]) == count) }
        #expect(try life(in: folder, [.load, .update, event], of: "2") == 1)
        for count in 1...2 { #expect(try life(in: folder, [.load], of: "3") == count) }
    }

    @Test("An end at other work, or after the work succeeded, begins a new count")
    func deathsAreForgotten() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (ScriptWork.event(["messageId": "m-1"]), ScriptWork.event(["messageId": "m-2"]))
        #expect(try life(in: folder, [.load, first]) == 1)
        #expect(try life(in: folder, [.load, first, second]) == 1)
        #expect(try life(in: folder, [.load, second, first]) == 1)
        #expect(try life(in: folder, [.load]) == 1)
        #expect(try life(in: folder, [.load, first]) == 1)
        // The work succeeded at this launch, so two launches later its count begins at zero.
        let marker = RunMarker(folder: KeptFolder(folder.url), name: "lane-0")
        _ = try marker.examine()
        try marker.begin(BundleIdentity(version: "1", sha256: "00"))
        marker.enter(first)
        marker.leave()
        #expect(try life(in: folder, [.load, first]) == 1)
    }

    @Test("The run marker's file has its documented form")
    func markForm() throws {
        let folder = try TemporaryFolder()
        #expect(try life(in: folder, [.flush]) == 1)
        #expect(try life(in: folder, [.flush]) == 2)
        let bytes = [UInt8](
            try Data(contentsOf: folder.url.appendingPathComponent("live-plugins-lane-0.mark")))
        // "1", FNV-1a of "flush", and the version's count of ends.
        #expect(
            bytes == [0x31, 0x3d, 0x7c, 0xb2, 0xc1, 0xa9, 0x88, 0x97, 0x80]
                + Array(#"{"version":"1","sha256":"00","deaths":1,"work":"809788a9c1b27c3d"}"#.utf8))
    }

    @Test(
        "A damaged run marker blames no bundle and is reported",
        arguments: ["", "1", "1{", "112345678", "112345678{}", "212345678{\"version\":\"1\",\"sha256\":\"0\"}"])
    func damagedMark(text: String) async throws {
        let folder = try TemporaryFolder()
        let first = Deployment.client(Deployment.stamp(1), folder: folder.url)
        first.analytics.track(name: "A")
        await first.flushed()
        await first.ended()
        let file = try #require(try Self.file("live-plugins-lane-0.mark", in: folder))
        try Data(text.utf8).write(to: file)
        let second = Deployment.client(Deployment.stamp(1), folder: folder.url)
        second.analytics.track(name: "B")
        await second.flushed()
        await second.reported(text: "it is unknown whether the app ended in a script last time")
        #expect(second.bundles == [1])
        await second.ended()
    }

    /// Where a client keeps a file, somewhere under its folder.
    private static func file(_ name: String, in folder: TemporaryFolder) throws -> URL? {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            .first { $0.hasSuffix(name) }.map { folder.url.appendingPathComponent($0) }
    }

    @Test(
        "A damaged quarantine file is set aside and reported, and new entries still apply",
        arguments: ["", "{", "[]", "{\"format\":2}", "{\"format\":1,\"bundles\":[{}]}"])
    func damagedQuarantine(text: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("live-plugins-quarantine.json")
        try Data(text.utf8).write(to: file)
        let problems = LockBox<[String]>([])
        let quarantine = BundleQuarantine(folder: KeptFolder(folder.url)) { text in
            problems.withLock { $0.append(text) }
        }
        #expect(
            problems.withLock { $0 }
                == ["live-plugins-quarantine.json is damaged, it is now live-plugins-quarantine.json.damaged-1"])
        #expect(try Data(contentsOf: file.appendingPathExtension("damaged-1")) == Data(text.utf8))
        let bundle = BundleIdentity(version: "1", sha256: "00")
        try quarantine.add(bundle, reason: "r")
        #expect(BundleQuarantine(folder: KeptFolder(folder.url)).reason(against: bundle) == "r")
    }

    @Test("A quarantine file that cannot be read now is kept, and merged when it can be read")
    func unreadableQuarantine() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (BundleIdentity(version: "1", sha256: "00"), BundleIdentity(version: "2", sha256: "00"))
        try BundleQuarantine(folder: KeptFolder(folder.url)).add(old, reason: "old")
        let file = folder.url.appendingPathComponent("live-plugins-quarantine.json")
        let elsewhere = folder.url.appendingPathComponent("elsewhere")
        try FileManager.default.moveItem(at: file, to: elsewhere)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let problems = LockBox<[String]>([])
        let quarantine = BundleQuarantine(folder: KeptFolder(folder.url)) { text in
            problems.withLock { $0.append(text) }
        }
        #expect(throws: (any Error).self) { try quarantine.add(new, reason: "new") }
        #expect(quarantine.reason(against: new) == "new")
        #expect(quarantine.reason(against: old) == nil)
        #expect(problems.withLock { $0.count } == 1)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: elsewhere, to: file)
        #expect(quarantine.reason(against: old) == "old")
        try quarantine.add(new, reason: "new")
        let read = BundleQuarantine(folder: KeptFolder(folder.url))
        #expect(read.reason(against: old) == "old" && read.reason(against: new) == "new")
    }

    @Test("The quarantine is bounded and forgets its oldest entries")
    func boundedQuarantine() throws {
        let folder = try TemporaryFolder()
        let quarantine = BundleQuarantine(folder: KeptFolder(folder.url))
        let bundles = (0...LivePluginLimits.quarantined).map { BundleIdentity(version: "\($0)", sha256: "00") }
        for bundle in bundles { try quarantine.add(bundle, reason: "r\(bundle.version)") }
        let read = BundleQuarantine(folder: KeptFolder(folder.url))
        #expect(read.reason(against: bundles[0]) == nil)
        #expect(bundles.dropFirst().allSatisfy { read.reason(against: $0) == "r\($0.version)" })
        #expect(read.reason(against: BundleIdentity(version: "1", sha256: "01")) == nil)
    }

    // MARK: The store

    @Test("The bundle store keeps the last two versions and survives damage")
    func store() throws {
        let folder = try TemporaryFolder()
        let store = BundleStore(folder: KeptFolder(folder.url))
        let bundles = (1...3).map { ScriptBundle(version: $0, source: "// \($0)", signatures: $0 == 2 ? ["s"] : []) }
        #expect(store.load().problems.isEmpty)
        for bundle in bundles { try store.store(bundle) }
        #expect(store.load().bundles == [bundles[2], bundles[1]])
        try store.store(bundles[2])
        #expect(store.load().bundles == [bundles[2], bundles[1]])
        #expect(store.load().problems.isEmpty)
        try Data("{".utf8).write(to: folder.url.appendingPathComponent("live-plugins.json"))
        #expect(store.load().bundles == [bundles[1]])
        #expect(store.load().problems.count == 1)
        let file = folder.url.appendingPathComponent("live-plugins-previous.json")
        let damaged = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "// 2", with: "// 3")
        try Data(damaged.utf8).write(to: file)
        #expect(store.load().bundles.isEmpty)
        #expect(
            store.load().problems.last
                == "live-plugins-previous.json holds no bundle that could run: its script was changed after it was stored"
        )
    }

    @Test("A damaged stored bundle is reported once and does not run; the one before runs")
    func damagedBundle() async throws {
        let folder = try TemporaryFolder()
        let first = Deployment.client("", status: 503, folder: folder.url)
        await first.flushed()
        await first.ended()
        let place = try #require(try Self.file("/settings.json", in: folder)).deletingLastPathComponent()
        for version in 1...2 {
            try BundleStore(folder: KeptFolder(place)).store(
                ScriptBundle(version: version, source: Deployment.stamp(version)))
        }
        try Data("{".utf8).write(to: place.appendingPathComponent("live-plugins.json"))
        let second = Deployment.client(version: 2, "", status: 503, folder: folder.url)
        second.analytics.track(name: "A")
        await second.flushed()
        await second.reported(text: "live-plugins.json holds no bundle that could run")
        #expect(second.bundles == [1])
        await second.refreshed()
        #expect(second.liveMessages.filter { $0.contains("holds no bundle") }.count == 1)
        await second.ended()
    }

    /// The files of the folder when the process ends after a number of steps of storing version 2 beside version 1.
    private static func leftovers(after steps: Int, in place: URL) throws {
        let (current, previous) = ("live-plugins.json", "live-plugins-previous.json")
        try BundleStore(folder: KeptFolder(place)).store(ScriptBundle(version: 1, source: Deployment.stamp(1)))
        let files = FileManager.default
        if steps > 0 {
            try files.copyItem(at: place.appendingPathComponent(current), to: place.appendingPathComponent(previous))
        }
        // The new file gets its name when it is whole.
        if steps > 1 { try Data("{\"format\":1,".utf8).write(to: place.appendingPathComponent("\(current).new")) }
    }

    @Test("A bundle that was half stored when the app ended leaves the one before intact", arguments: 0...2)
    func halfKept(steps: Int) async throws {
        let folder = try TemporaryFolder()
        let first = Deployment.client(Deployment.stamp(1), status: 503, folder: folder.url)
        first.analytics.track(name: "A")
        await first.flushed()
        await first.ended()
        let place = try #require(try Self.file("/settings.json", in: folder)).deletingLastPathComponent()
        try Self.leftovers(after: steps, in: place)
        let away = Deployment.client(version: 2, "", status: 503, folder: folder.url)
        away.analytics.track(name: "B")
        await away.flushed()
        #expect(away.bundles == [1])
        await away.ended()
        let back = Deployment.client(version: 2, Deployment.stamp(2), folder: folder.url)
        back.analytics.track(name: "C")
        await back.flushed()
        #expect(back.bundles == [2])
        await back.ended()
        #expect(BundleStore(folder: KeptFolder(place)).load().bundles.first?.version == 2)
    }

    @Test("Files of live plugins are readable by their user only")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        let client = Deployment.client(Deployment.stamp(1), folder: folder.url)
        client.analytics.track(name: "A")
        await client.flushed()
        await client.ended()
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
            .filter { $0.contains("live-plugins") }
        #expect(files.count == 2)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path + "/" + file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}
