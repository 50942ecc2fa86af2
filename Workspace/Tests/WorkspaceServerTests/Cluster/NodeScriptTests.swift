import ClusterTestKit
import Foundation
import Logging
import Synchronization
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// Owners of a partition with real processes in which scripts run, on a log and a store in memory.
@Suite("Live plugins on the nodes of a cluster", .serialized, .timeLimit(.minutes(30))) struct NodeScriptTests {
    private let log = MemoryEventLog(partitions: 1)
    private let leases = MemoryLeases()
    private let rows = MemoryRows()
    private let folder: TemporaryFolder
    private let store: Store
    private let sources: SourceRegistry
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        folder = try TemporaryFolder()
        store = try Store.testing(folder)
        try await store.addSources(["WK", "OTHER"], now: 1)
        sources = try SourceRegistry(store: store) { 1 }
    }

    private static func plugin(_ track: String) -> String {
        """
        class Change extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { \(track) }
        }
        analytics.add(new Change());
        """
    }

    private static func rename(_ prefix: String) -> String {
        plugin("event.event = '\(prefix) ' + event.event; return event;")
    }

    private func deploy(_ text: String, where place: PluginPlace = .workspace) async throws {
        _ = try await sources.deploy(
            Data(text.utf8), sha256: "", signature: nil, percentage: 100, place: place, to: "WK")
    }

    private func source(_ writeKey: String) async throws -> Int64 { try await sources.known(writeKey).id }

    private func send(
        _ names: [String], to writeKey: String = "WK", device version: Int? = nil
    ) async throws {
        let events: [JSON] = names.map { name in
            var event: JSONObject = ["type": "track", "event": .string(name), "userId": "u"]
            event["messageId"] = .string("m-\(name)")
            if let version { event["_metadata"] = ["livePlugins": ["device": .number(Int64(version))]] }
            return .object(event)
        }
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let body = (["batch": .array(events)] as JSON).encoded()
        let record = ClusterRecord.batch(
            source: try await source(writeKey), receivedAt: now, events: names.count, body: body)
        _ = try await log.append(record, id: UUID().uuidString, to: 0)
    }

    /// The scripts of a node.
    private func scripts(
        knowing known: (@Sendable () async -> [Int64: WorkspaceScripts])? = nil, patience: Duration = .seconds(60)
    ) -> BlockScripts {
        let (store, logger, sources) = (store, logger, sources)
        let reports = ScriptReports(HealthInbox(), now: { 1 }, logger)
        return BlockScripts(known: known ?? { await sources.scripts }, patience: patience) {
            SourceScripts(program: CommandRun.executable.path, store: store, reports: reports, logger: logger)
        }
    }

    /// An owner that has to be cancelled.
    private func owner(_ name: String, _ scripts: BlockScripts?) -> Task<Void, Never> {
        var options = ClusterOptions()
        (options.patience, options.pulse) = (300, 50)
        let task = PartitionTask(
            0, log: log, places: leases, store: rows, options: options, logger: logger,
            owned: OwnedPartitions(mostOwned: 1), turns: Turns(), scripts: scripts)
        return Task { await task.run(as: name) }
    }

    private func running<Result>(
        _ scripts: BlockScripts?, as name: String = "node", _ body: () async throws -> Result
    ) async throws -> Result {
        let task = owner(name, scripts)
        do {
            let result = try await body()
            task.cancel()
            await task.value
            await scripts?.close()
            return result
        } catch {
            task.cancel()
            await scripts?.close()
            throw error
        }
    }

    @Test("An event of a client without live plugins is stored as the script left it, and the log keeps what came")
    func renames() async throws {
        try await deploy(Self.rename("Order"), where: .both)
        try await running(scripts()) {
            try await send(["Paid", "Sent"])
            try await send(["Device"], device: 1)
            try await send(["Plain"], to: "OTHER")
            await rows.wait(for: 4)
        }
        #expect(await rows.names == ["Order Paid", "Order Sent", "Device", "Plain"])
        let record = try await log.read(0, from: 1, atMost: 1, bytes: 1)[0]
        let text = String(decoding: record.bytes, as: UTF8.self)
        #expect(text.contains(#""event":"Paid""#) && !text.contains("Order"))
        let body = try JSON.parse(#require(await rows.rows.values.first { $0.name == "Order Paid" }).body)
        #expect(body["_metadata"]?["livePlugins"] == ["workspace": 1])
    }

    @Test("Events are dropped and made, and a client's repetition changes nothing")
    func makes() async throws {
        try await deploy(
            Self.plugin(
                """
                if (event.event == "Drop") return null;
                if (event.event == "Make") { analytics.track("Made"); analytics.track(""); }
                return event;
                """))
        try await running(scripts()) {
            for _ in 0..<2 {
                try await send(["Drop", "Make", "Keep"])
                try await send(["Last"])
            }
            await rows.wait(for: 5)
        }
        #expect(await rows.names == ["Make", "Made", "Keep", "Last"])
        #expect(await rows.rows[RowIdentity(kind: .rejected, source: try source("WK"), id: "m-Make-2")] != nil)
        #expect(await rows.sharedNumbers == 0)
    }

    @Test("An owner that takes over in the middle of a block stores the same rows")
    func takeover() async throws {
        let script = Self.plugin(
            """
            if (event.event == "Drop") return null;
            if (event.event == "Make") analytics.track("Made");
            event.event = "Order " + event.event; return event;
            """)
        try await deploy(script)
        try await send(["Drop", "Make", "Keep"])
        await rows.hold()
        let first = scripts()
        let killed = owner("killed", first)
        await rows.wait(forBlocks: 1)
        // The first owner has stored the block, and hangs before it can say so.
        await rows.letGoLater(killed)
        try await running(scripts(), as: "next") { await rows.wait(forBlocks: 2) }
        #expect(await rows.names == ["Order Make", "Order Made", "Order Keep"])
        #expect(await rows.repeated >= 1)
        #expect(await rows.inserts == 1)
        await first.close()
    }

    @Test("When the next owner has another version, each event is stored once, and no two rows share a number")
    func otherVersion() async throws {
        try await deploy(
            Self.plugin(
                "if (event.event == 'B') return null; if (event.event == 'A') { analytics.track('M1'); analytics.track('M2'); } return event;"
            ))
        let old = await sources.scripts
        try await send(["A", "B", "C"])
        await rows.hold()
        let first = scripts(knowing: { old })
        let killed = owner("killed", first)
        await rows.wait(forBlocks: 1)
        await rows.letGoLater(killed)
        try await deploy(
            Self.plugin(
                "if (event.event == 'C') { analytics.track('M3'); return null; } if (event.event == 'A') analytics.track('M1'); return event;"
            ))
        try await running(scripts(), as: "next") {
            await rows.wait(forBlocks: 2)
            try await send(["D"])
            await rows.wait(for: 6)
        }
        // What one of the versions left is there. The announced range had no room for what only the second one made.
        #expect(await rows.names == ["A", "M1", "M2", "B", "C", "D"])
        #expect(await rows.sharedNumbers == 0)
        await first.close()
    }

    @Test("A node that does not know the script yet stores events as they came, and later ones with it")
    func olderSettings() async throws {
        let known = SourceBook()
        try await running(scripts(knowing: { known.scripts })) {
            try await send(["Early"])
            await rows.wait(for: 1)
            try await deploy(Self.rename("Order"))
            known.scripts = await sources.scripts
            try await send(["Late"])
            await rows.wait(for: 2)
        }
        #expect(await rows.names == ["Early", "Order Late"])
    }

    @Test("An endless script and a slow one cost their source the scripts, and the node keeps its partition")
    func slow() async throws {
        try await deploy(Self.plugin("while (true) {}"))
        try await running(scripts()) {
            try await send(["Endless"])
            try await send(["Plain"], to: "OTHER")
            await rows.wait(for: 2)
            try await deploy(
                Self.plugin(
                    "const end = Date.now() + 90; while (Date.now() < end) {} event.event = 'slow'; return event;"))
        }
        try await running(scripts(patience: .milliseconds(700)), as: "impatient") {
            try await send((0..<40).map { "S\($0)" })
            try await send(["Other"], to: "OTHER")
            await rows.wait(for: 43)
        }
        let names = await rows.names
        #expect(names.contains("Endless") && names.contains("Plain") && names.contains("Other"))
        #expect(names.contains("S39"))
        #expect(await leases.owners == ["node", "impatient"])
    }

    @Test("A process that is killed in the middle of its work loses nothing and doubles nothing")
    func killedProcess() async throws {
        try await deploy(Self.rename("Order"))
        try await running(scripts()) {
            for round in 0..<5 {
                try await send((0..<100).map { "\(round)-\($0)" })
                await rows.wait(for: round * 100 + 1)
                for process in Self.workers() { kill(process, SIGKILL) }
            }
            await rows.wait(for: 500)
        }
        let expected = (0..<5).flatMap { round in (0..<100).map { "Order \(round)-\($0)" } }
        #expect(await rows.names == expected)
    }

    @Test("A block has room for what scripts make, and goes on with the next records")
    func manyMade() async throws {
        try await deploy(
            Self.plugin(
                """
                const isMade = event.context.__eventOrigin || event.event === "Last";
                if (!isMade) for (let i = 0; i < 20; i++) analytics.track("Made " + i);
                return event;
                """))
        for record in 0..<10 { try await send((0..<100).map { "\(record)-\($0)" }) }
        try await send(["Last"])
        try await running(scripts()) { await rows.wait(forEvent: "Last") }
        let names = await rows.names
        let sent = (0..<10).flatMap { record in (0..<100).map { "\(record)-\($0)" } }
        #expect(names.filter { !$0.hasPrefix("Made") } == sent + ["Last"])
        // A machine that stands still for a second ends a script, and then its event makes nothing.
        let made = names.count - sent.count - 1
        #expect(made % 20 == 0)
        #expect((15_000...20_000).contains(made))
        #expect(await rows.inserts >= 3)
        #expect(await rows.sharedNumbers == 0)
    }

    /// The processes with scripts of this process's source `WK`.
    private static func workers() -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { process in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            else { return false }
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[1] == "\(getpid())" && line.contains("plugin\0worker\0WK\0")
        }
    }
}

/// The sources that a node knows, which a test changes.
private final class SourceBook: Sendable {
    private let known = Mutex<[Int64: WorkspaceScripts]>([:])

    var scripts: [Int64: WorkspaceScripts] {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}

extension MemoryRows {
    /// Ends an owner that hangs in the store, as a kill does: what it would have done then, it does not do.
    fileprivate func letGoLater(_ owner: Task<Void, Never>) {
        owner.cancel()
        letGo()
    }
}
