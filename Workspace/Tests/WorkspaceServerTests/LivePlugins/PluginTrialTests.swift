import Foundation
import HTTPTypes
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Trying live plugins on stored events", .timeLimit(.minutes(30))) struct PluginTrialTests {
    private static let path = "/api/sources/WK/live-plugins/try"

    private static func plugin(_ track: String) -> String {
        """
        class Trial extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { \(track) }
        }
        analytics.add(new Trial());
        """
    }

    private func trial(
        _ text: String, last: Int = 200, of workspace: TestWorkspace
    ) async throws -> TestClient.Answer {
        try await workspace.client.send(
            "POST", "\(Self.path)?last=\(last)", body: Array(text.utf8), headers: ["Content-Type": "text/javascript"])
    }

    @Test("A trial counts the changes, drops and faults of a bundle, and deploys nothing")
    func counts() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            try await workspace.client.batch(
                ["Kept", "Changed", "Dropped", "Failed"].map { Events.track(messageId: "m-\($0)", name: $0) })
            let text = Self.plugin(
                """
                if (event.event == "Dropped") return null;
                if (event.event == "Failed") throw new Error("no price");
                if (event.event == "Changed") { console.log("seen"); event.properties.more = 1; }
                return event;
                """)
            let answer = try await trial(text, of: workspace).json
            #expect(answer["usable"] == true)
            #expect(answer["plugins"] == [["name": "Trial", "type": "enrichment", "destination": .null, "touched": 2]])
            #expect(answer["events"] == 4)
            #expect(answer["changed"] == 1)
            #expect(answer["dropped"] == 1)
            #expect(answer["failed"] == 1)
            #expect(answer["complete"] == true)
            let fault = try #require(answer["faults"]?.elements?.first?["text"]?.stringValue)
            #expect(fault.contains("no price"))
            #expect(fault.contains("plugins.js:4"))
            #expect(answer["console"]?.elements?.first?.stringValue?.contains("seen") == true)
            let examples = try #require(answer["examples"]?.elements)
            #expect(examples.compactMap { $0["before"]?["event"]?.stringValue } == ["Changed", "Dropped", "Failed"])
            #expect(examples[0]["after"]?["properties"]?["more"] == 1)
            #expect(examples[1]["after"] == .null)
            let deployed = try await workspace.client.get("/api/sources/WK/live-plugins").json
            #expect(deployed["versions"] == [])
        }
    }

    @Test("A trial takes the newest events of its source in the order of their arrival")
    func newest() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"], program: CommandRun.executable.path) {
            workspace async throws in
            try await workspace.client.batch((1...5).map { Events.track(messageId: "m-\($0)", name: "Event \($0)") })
            try await workspace.client.batch([Events.track(messageId: "o", name: "Foreign")], writeKey: "OTHER")
            let answer = try await trial(Self.plugin("return null"), last: 2, of: workspace).json
            let names = answer["examples"]?.elements?.compactMap { $0["before"]?["event"]?.stringValue }
            #expect(names == ["Event 4", "Event 5"])
        }
    }

    @Test("A script with a mistake is not run, and the answer names the line")
    func mistake() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")])
            let answer = try await trial("const one = 1;\nconst two = ;\n", of: workspace).json
            #expect(answer["usable"] == false)
            #expect(answer["events"] == 0)
            let finding = try #require(answer["findings"]?.elements?.first)
            #expect(finding["severity"] == "error")
            #expect(finding["line"] == 2)
            let nothing = try await trial("", last: 0, of: workspace)
            #expect(nothing.status == 200)
        }
    }

    /// What a trial found, without the warnings about times: a busy machine is slow.
    private func messages(_ answer: TestClient.Answer) throws -> [String] {
        (try answer.json["findings"]?.elements ?? []).compactMap { $0["message"]?.stringValue }
            .filter { !$0.hasPrefix("loading takes") }
    }

    @Test("A trial warns of destinations and event names that the source does not know")
    func unknownNames() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let text = Self.plugin("return event.event === 'Product Viewd' ? null : event")
                .replacing("null)", with: "'Amplitud')")
            let before = try await messages(trial(text, last: 0, of: workspace))
            #expect(before.count == 1 && before[0].contains("Amplitud"), "\(before)")
            try await workspace.client.batch([
                Events.track(messageId: "m-1", name: "Product Viewed"),
                Events.track(messageId: "m-2", name: "Product Viewed"),
            ])
            let integrations = Array(#"{"Amplitude":{"apiKey":"k"}}"#.utf8)
            _ = try await workspace.client.send("PUT", "/api/sources/WK/integrations", body: integrations)
            let answer = try await trial(text, last: 0, of: workspace)
            let messages = try messages(answer)
            #expect(
                messages.contains { $0.contains("\"Amplitud\"") && $0.contains("did you mean \"Amplitude\"?") },
                "\(messages)")
            #expect(
                messages.contains {
                    $0.contains("\"Product Viewd\"") && $0.contains("did you mean \"Product Viewed\" (2 events)?")
                },
                "\(messages)")
            let findings = try answer.json["findings"]?.elements ?? []
            #expect(findings.allSatisfy { $0["severity"] == "warning" })
        }
    }

    @Test("The API refuses a bundle that cannot do what it says, with the line, and takes it when told")
    func deployment() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let text = Self.plugin("return event").replacing("track(", with: "trak(")
            func deploy(_ query: String = "") async throws -> TestClient.Answer {
                try await workspace.client.send(
                    "PUT", "/api/sources/WK/live-plugins\(query)", body: Array(text.utf8),
                    headers: ["Content-Type": "text/javascript"])
            }
            let refused = try await deploy()
            #expect(refused.status == 422)
            #expect(
                try refused.json["error"]?.stringValue == "line 3: nothing calls Trial.trak; did you mean track?")
            #expect(try await workspace.client.get("/api/sources/WK/live-plugins").json["versions"] == [])
            #expect(try await deploy("?unchecked=true").status == 200)
        }
    }

    @Test("An endless script ends with its budget, and the server goes on")
    func endless() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")])
            let answer = try await trial(Self.plugin("for (;;) {}"), of: workspace).json
            #expect(answer["failed"] == 1)
            #expect(try await workspace.client.get("/api/events").json["events"]?.elements?.count == 1)
        }
    }

    @Test("The process of a trial does not get the secrets of the server's environment")
    func environment() async throws {
        let folder = try TemporaryFolder()
        let script = #"cat > /dev/null; printf '{"found": "%s"}' "$(env | grep -c TRIBUTARY)""#
        let program = try Self.program(script, in: folder)
        setenv("TRIBUTARY_TRIAL_TEST", "secret", 1)
        defer { unsetenv("TRIBUTARY_TRIAL_TEST") }
        let answer = try await PluginTrials(program: program).run(PluginTrialRequest(source: "", sample: .events([])))
        #expect(answer["found"] == "0")
    }

    @Test("A trial ends when its client leaves, and the server goes on")
    func leaving() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let program = try Self.program("exec cat \(fifo)", in: folder)
        try await TestWorkspace.run(program: program) { workspace async throws in
            let client = try LeavingClient(
                workspace.client.url,
                sending:
                    "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(TestClient.token)\r\n"
                    + "Content-Length: 2\r\n\r\n//")
            // This open returns after the process has opened the pipe, and a write fails after the process has ended.
            let writer = await Task.detached { open(fifo, O_WRONLY) }.value
            defer { close(writer) }
            client.leave()
            while write(writer, "x", 1) == 1 { await Task.yield() }
            #expect(errno == EPIPE)
            #expect(try await workspace.client.get("/api/stats").status == 200)
        }
    }

    /// Writes a program for a shell.
    private static func program(_ script: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/program-\(UUID().uuidString)"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    @Test("A trial process that fails, prints too much or cannot start is an error of the server with its reason")
    func failures() async throws {
        let request = PluginTrialRequest(source: "", sample: .events([]))
        let folder = try TemporaryFolder()
        for (name, script) in [("fails", "exit 3"), ("long", "exec head -c 20000000 /dev/zero"), ("silent", "exit 0")] {
            let program = try Self.program(script, in: folder)
            await #expect(throws: Refusal.self, "\(name)") {
                try await PluginTrials(program: program).run(request)
            }
        }
        await #expect(throws: Refusal.self) { try await PluginTrials(program: folder.path + "/none").run(request) }
        let none = await #expect(throws: Refusal.self) { try await PluginTrials(program: nil).run(request) }
        #expect(none?.status == .notImplemented)
    }

    @Test("Numbers of events and texts beyond the limits are refused")
    func limits() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            for last in ["-1", "5001", "many"] {
                let answer = try await workspace.client.send("POST", "\(Self.path)?last=\(last)", body: [])
                #expect(answer.status == 400, "\(last)")
            }
            let large = try await workspace.client.send(
                "POST", Self.path, body: [UInt8](repeating: 0x20, count: Limits.bundleBytes + 1))
            #expect(large.status == 413)
            #expect(try await workspace.client.send("POST", Self.path, body: [0xff]).status == 400)
            let unknown = try await workspace.client.send("POST", "/api/sources/NONE/live-plugins/try", body: [])
            #expect(unknown.status == 404)
        }
    }
}
