import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A real server with real processes in which scripts run.
@Suite("Live plugins in the workspace", .serialized, .timeLimit(.minutes(30))) struct WorkspaceScriptTests {
    private static func plugin(_ track: String, type: String = "enrichment") -> String {
        """
        class Change extends LivePlugin {
          constructor() { super(LivePluginType.\(type), null); }
          track(event) { \(track) }
        }
        analytics.add(new Change());
        """
    }

    private static let rename = plugin("event.event = 'Order ' + event.event; return event;")

    private func deploy(
        _ text: String, where place: String = "workspace", more: String = "", to writeKey: String = "WK",
        _ client: TestClient
    ) async throws -> JSON {
        let answer = try await client.put("/api/sources/\(writeKey)/live-plugins?where=\(place)\(more)", text)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json
    }

    private func run<Result>(
        in folder: TemporaryFolder? = nil, writeKeys: [String] = ["WK"],
        _ body: (TestWorkspace) async throws -> Result
    ) async throws -> Result {
        try await TestWorkspace.run(
            in: folder, writeKeys: writeKeys, program: CommandRun.executable.path, body)
    }

    private func names(_ client: TestClient) async throws -> [String] {
        try await client.events().compactMap { $0["name"]?.stringValue }
    }

    @Test("A web client's event is stored as a deployed script left it, and says in which version")
    func renames() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            #expect(try await deploy(Self.rename, client)["where"] == "workspace")
            let event: JSON = [
                "event": "Completed", "userId": "u-1", "messageId": "m-1", "properties": ["total": 42.50],
            ]
            let basic = "Basic \(Data("WK:".utf8).base64EncodedString())"
            #expect(try await client.post("/v1/t", event, headers: ["Authorization": basic]).status == 200)
            try await client.batch([Events.track(messageId: "m-2", name: "Paid"), ["type": "page", "userId": "u-1"]])
            try await wait(for: 3, workspace)
            let events = try await client.events()
            #expect(events.compactMap { $0["name"]?.stringValue } == ["Order Completed", "Order Paid"])
            let stored = try await body("m-1", workspace)
            #expect(stored["_metadata"]?["livePlugins"] == ["workspace": 1])
            #expect(stored["properties"]?["total"]?.description == "42.5")
        }
    }

    @Test("The journal keeps the request as it was acknowledged")
    func journal() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder) { workspace async throws in
            _ = try await deploy(Self.rename, workspace.client)
            try await workspace.client.batch([Events.track(messageId: "m-1", name: "Raw Name")])
            try await wait(for: 1, workspace)
            #expect(try await names(workspace.client) == ["Order Raw Name"])
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/journal")
        let bytes = try files.reduce(into: Data()) { bytes, file in
            bytes += try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/journal/\(file)"))
        }
        #expect(bytes.range(of: Data("\"Raw Name\"".utf8)) != nil || files.isEmpty)
        #expect(bytes.range(of: Data("Order Raw Name".utf8)) == nil)
    }

    @Test("Scripts drop events and make others, with ids that are derived from the event that caused them")
    func makes() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            let script = Self.plugin(
                """
                if (event.event == "Drop") return null;
                if (!event.context.__eventOrigin && event.event == "Make") {
                    analytics.track("Made", { of: event.messageId });
                    analytics.track("");
                }
                return event;
                """)
            _ = try await deploy(script, client)
            try await client.batch(["Drop", "Make", "Keep"].map { Events.track(messageId: "m-\($0)", name: $0) })
            try await wait(for: 3, workspace)
            let events = try await client.events()
            #expect(events.compactMap { $0["name"]?.stringValue } == ["Make", "Made", "Keep"])
            #expect(events[1]["messageId"] == "m-Make-1")
            #expect(events[1]["userId"] == "u-1")
            let rejected = try await client.get("/api/rejected").text
            #expect(rejected.contains("m-Make-2"))
        }
    }

    @Test("An event that a device took through a version is not taken through it again where both run it")
    func deviceVersion() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            _ = try await deploy(Self.rename, where: "both", client)
            func event(_ id: String, _ metadata: JSON?) -> JSON {
                var event = Events.track(messageId: id, name: id)
                event["_metadata"] = metadata
                return event
            }
            try await client.batch([
                event("device", ["livePlugins": ["device": 1]]), event("other", ["bundled": []]), event("web", nil),
                event("invented", ["livePlugins": ["device": 9]]),
            ])
            try await wait(for: 4, workspace)
            #expect(try await names(client) == ["device", "Order other", "Order web", "Order invented"])
            // What the workspace alone runs, it runs for every event.
            _ = try await deploy(Self.rename, client)
            try await client.batch([event("later", ["livePlugins": ["device": 1]])])
            try await wait(for: 5, workspace)
            #expect(try await names(client).last == "Order later")
        }
    }

    @Test("Devices get no version that runs in the workspace alone")
    func settings() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            let url = "/v1/projects/WK/settings"
            _ = try await deploy(Self.rename, where: "both", client)
            let both = try await client.get(url).json["edgeFunction"]
            #expect(both?["downloadURL"]?.stringValue?.contains("/1.js") == true)
            _ = try await deploy(Self.rename, client)
            #expect(try await client.get(url).json["edgeFunction"] == ["version": 2, "downloadURL": ""])
            let versions = try await client.get("/api/sources/WK/live-plugins").json["versions"]?.elements ?? []
            #expect(versions.map { $0["where"] } == ["workspace", "both"])
            // A roll-back keeps the place of its version. A deployment keeps the place of the version before.
            let rolledBack = try await client.post("/api/sources/WK/live-plugins/rollback", ["version": 1]).json
            #expect(rolledBack["where"] == "both")
            let next = try await client.put("/api/sources/WK/live-plugins", Self.rename).json
            #expect(next["where"] == "both")
        }
    }

    @Test("The first version runs where it reaches what the source sends")
    func defaultPlace() async throws {
        try await run(writeKeys: ["WEB", "APP", "MIXED", "NEW"]) { workspace async throws in
            let client = workspace.client
            func event(_ id: String, _ library: String) -> JSON {
                var event = Events.track(messageId: id)
                event["context"] = ["library": ["name": .string(library)]]
                return event
            }
            try await client.batch([event("1", "analytics.js")], writeKey: "WEB")
            try await client.batch([event("2", "tributary")], writeKey: "APP")
            try await client.batch([event("3", "tributary"), event("4", "analytics-android")], writeKey: "MIXED")
            _ = try await client.events()
            for (key, place) in [("WEB", "workspace"), ("APP", "device"), ("MIXED", "both"), ("NEW", "device")] {
                let answer = try await client.put("/api/sources/\(key)/live-plugins", Self.rename).json
                #expect(answer["where"]?.stringValue == place, "\(key)")
            }
            let wrong = try await client.put("/api/sources/NEW/live-plugins?where=moon", Self.rename)
            #expect(wrong.status == 400)
            #expect(wrong.text.contains("device, workspace, both"))
            let stages = "/api/sources/NEW/live-plugins?where=workspace&stages=10,100"
            #expect(try await client.put(stages, Self.rename).status == 400)
        }
    }

    @Test("A server that cannot run scripts refuses versions for the workspace")
    func withoutProgram() async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.put("/api/sources/WK/live-plugins?where=both", Self.rename)
            #expect(answer.status == 501, "\(answer.text)")
        }
    }

    @Test("A staged version takes only its share of the users")
    func staged() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            _ = try await deploy(Self.plugin("event.event = 'new'; return event;"), more: "&percentage=50", client)
            let events = (0..<40).map { Events.track(messageId: "m-\($0)", name: "old", userId: "u-\($0)") }
            try await client.batch(events)
            try await wait(for: 40, workspace)
            for event in try await client.events() {
                let user = try #require(event["userId"]?.stringValue)
                let isNew = Rollout.has(user, of: .livePlugins, version: 1, percentage: 50)
                #expect(event["name"]?.stringValue == (isNew ? "new" : "old"))
            }
        }
    }

    @Test("An endless script leaves events as they were and is reported")
    func endless() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            _ = try await deploy(Self.plugin("\n while (true) {}"), client)
            try await client.batch([Events.track(messageId: "e-1", name: "Kept")])
            try await wait(for: 1, workspace)
            #expect(try await names(client) == ["Kept"])
            let version = try await report(where: { $0["plugins"]?[0]?["breaches"] != nil }, workspace)
            #expect(version["version"] == "1")
            #expect(version["plugins"]?[0]?["name"] == "Change")
            #expect(version["faults"]?[0]?["message"]?.stringValue?.contains("stopped") == true)
        }
    }

    @Test("A slow script delays the events of its own source and of no other one")
    func slow() async throws {
        try await run(writeKeys: ["WK", "OTHER", "PLAIN"]) { workspace async throws in
            let client = workspace.client
            let slow = Self.plugin(
                "const end = Date.now() + 30; while (Date.now() < end) {} event.event = 'slow'; return event;")
            _ = try await deploy(slow, client)
            _ = try await deploy(Self.rename, to: "OTHER", client)
            try await client.batch((0..<300).map { Events.track(messageId: "s-\($0)", name: "x") })
            for key in ["OTHER", "PLAIN"] {
                try await client.batch([Events.track(messageId: "o-1", name: "Other")], writeKey: key)
                try await wait(for: 1, of: key, workspace)
            }
            // The slow events take nine seconds.
            #expect(try await count(workspace) < 300)
            try await wait(for: 300, workspace)
            #expect(try await names(client).contains("slow"))
        }
    }

    @Test("A process that is killed in the middle of its work loses nothing and doubles nothing")
    func killed() async throws {
        try await run(writeKeys: ["KILLED"]) { workspace async throws in
            let client = workspace.client
            _ = try await deploy(Self.rename, to: "KILLED", client)
            var killed = 0
            for round in 0..<10 {
                for half in ["a", "b"] {
                    let events = (0..<100).map {
                        Events.track(messageId: "\(round)\(half)\($0)", name: "\(round)\(half)\($0)")
                    }
                    try await client.batch(events, writeKey: "KILLED")
                }
                // The process has the second half now, or gets it. It was loaded: one that never is leaves the events as they are.
                try await wait(for: round * 200 + 1, of: "KILLED", workspace)
                for process in Self.workers(of: "KILLED") {
                    kill(process, SIGKILL)
                    killed += 1
                }
            }
            try await wait(for: 2_000, of: "KILLED", workspace)
            #expect(killed > 0)
            var names: [String] = []
            try await workspace.store.forEachEvents(writeKey: "KILLED", newest: 5_000) { rows in
                names += rows.compactMap { (try? JSON.parse($0.body))?["event"]?.stringValue }
                return true
            }
            let expected = (0..<10).flatMap { round in
                ["a", "b"].flatMap { half in (0..<100).map { "Order \(round)\(half)\($0)" } }
            }
            #expect(names.sorted() == expected.sorted())
        }
    }

    @Test("A server that stops while requests wait for scripts goes on with them, and counts nothing twice")
    func restart() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder, writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let slow = Self.plugin(
                "const end = Date.now() + 20; while (Date.now() < end) {} event.event = 'slow'; return event;")
            _ = try await deploy(slow, workspace.client)
            for batch in 0..<3 {
                try await workspace.client.batch(
                    (0..<50).map { Events.track(messageId: "s-\(batch)-\($0)", name: "x") })
                try await workspace.client.batch([Events.track(messageId: "o-\(batch)")], writeKey: "OTHER")
            }
            try await wait(for: 3, of: "OTHER", workspace)
        }
        try await run(in: folder, writeKeys: ["WK", "OTHER"]) { workspace async throws in
            try await wait(for: 150, workspace)
            let events = try await workspace.client.events()
            #expect(events.count == 153)
            #expect(events.count { $0["name"] == "slow" } == 150)
            let metrics = try await workspace.client.get(
                "/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"]
            ).text
            #expect(!metrics.contains("tributary_indexed_events_total{outcome=\"duplicate\"} 1"))
        }
    }

    @Test("Hostile scripts reach no file, no network and no other source, and too much memory ends only their version")
    func hostile() async throws {
        try await run(writeKeys: ["HOSTILE", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let script = Self.plugin(
                """
                const found = ["require", "process", "fetch", "XMLHttpRequest", "WebSocket", "importScripts", "Deno", "Bun",
                    "WebAssembly", "SharedArrayBuffer", "open", "load", "read", "readFile"]
                    .filter((name) => typeof globalThis[name] !== "undefined");
                try { Function("return 1")(); found.push("Function"); } catch {}
                try { new Analytics("OTHER").track("Foreign"); found.push("OTHER"); } catch {}
                event.properties = { found: found.join() };
                return event;
                """)
            _ = try await deploy(script, more: "&unchecked=true", to: "HOSTILE", client)
            try await client.batch([Events.track(messageId: "h-1", name: "Probe")], writeKey: "HOSTILE")
            try await wait(for: 1, of: "HOSTILE", workspace)
            let stored = try await client.events()
            #expect(stored.count == 1)
            #expect(try await body("h-1", of: "HOSTILE", workspace)["properties"] == ["found": ""])
            let workers = Self.workers(of: "HOSTILE")
            #expect(!workers.isEmpty)
            for worker in workers {
                let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
                #expect(status.contains("Seccomp:\t2"))
                #expect(status.contains("NoNewPrivs:\t1"))
                let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd").compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/fd/\($0)")
                }
                #expect(files.filter { $0.hasPrefix("socket:") }.count == 2)
                // The engine keeps the system's random numbers and the means by which threads wake each other.
                let others = files.filter {
                    !$0.hasPrefix("socket:") && !["/dev/null", "/dev/urandom", "anon_inode:[eventfd]"].contains($0)
                        && $0 != "/proc/\(worker)/statm"
                }
                #expect(others.isEmpty)
            }
            let greedy = Self.plugin(
                "const all = []; for (;;) all.push(new Array(100000).fill(all.length)); return event;")
            _ = try await deploy(greedy, to: "HOSTILE", client)
            try await client.batch(
                (0..<20).map { Events.track(messageId: "g-\($0)", name: "Greedy") }, writeKey: "HOSTILE")
            try await wait(for: 21, of: "HOSTILE", workspace)
            #expect(try await names(client).count { $0 == "Greedy" } == 20)
            _ = try await report(
                where: { $0["version"] == "2" && ($0["incidents"]?["quarantined"] != nil || $0["faulty"] != 0) },
                of: "HOSTILE", workspace)
        }
    }

    @Test("When a version cannot be loaded, the version before goes on")
    func unloadable() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            _ = try await deploy(Self.rename, client)
            try await client.batch([Events.track(messageId: "m-1", name: "one")])
            try await wait(for: 1, workspace)
            _ = try await deploy("throw new Error('broken');", more: "&unchecked=true", client)
            try await client.batch([Events.track(messageId: "m-2", name: "two")])
            try await wait(for: 2, workspace)
            #expect(try await names(client) == ["Order one", "Order two"])
            #expect(try await body("m-2", workspace)["_metadata"]?["livePlugins"] == ["workspace": 1])
            _ = try await report(where: { $0["incidents"]?["loadFailed"] != nil }, workspace)
        }
    }

    // MARK: Looking

    /// The processes with scripts of a source that have given up their rights.
    /// - Parameter writeKey: the source of the scripts; other tests run at the same time.
    private static func workers(of writeKey: String) -> [pid_t] {
        let own = "\(getpid())"
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { process in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            else { return false }
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            return fields.count > 1 && fields[1] == own && line.contains("plugin\0worker\0\(writeKey)\0")
                && status.contains("Seccomp:\t2")
        }
    }

    /// How many events of a source are stored, without waiting for others.
    private func count(of writeKey: String = "WK", _ workspace: TestWorkspace) async throws -> Int {
        var count = 0
        try await workspace.store.forEachEvents(writeKey: writeKey, newest: 100_000) { rows in
            count += rows.count
            return true
        }
        return count
    }

    private func wait(for events: Int, of writeKey: String = "WK", _ workspace: TestWorkspace) async throws {
        try await workspace.until { try await count(of: writeKey, workspace) >= events ? () : nil }
    }

    private func body(
        _ messageId: String, of writeKey: String = "WK", _ workspace: TestWorkspace
    ) async throws -> JSON {
        var found: JSON?
        try await workspace.store.forEachEvents(writeKey: writeKey, newest: 1_000) { rows in
            for row in rows {
                let body = try JSON.parse(row.body)
                if body["messageId"]?.stringValue == messageId { found = body }
            }
            return true
        }
        return try #require(found)
    }

    /// The counts of the first reported version that a test looks for.
    private func report(
        where isWanted: (JSON) -> Bool, of writeKey: String = "WK", _ workspace: TestWorkspace
    ) async throws -> JSON {
        try await workspace.until {
            let path = "/api/live-plugins/health?writeKey=\(writeKey)&hours=24"
            return try await workspace.client.get(path).json["versions"]?.elements?.first(where: isWanted)
        }
    }
}
