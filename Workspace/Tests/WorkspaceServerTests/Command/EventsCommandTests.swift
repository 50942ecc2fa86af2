import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The commands that look into a workspace, with the real executable.
@Suite("Commands about events", .timeLimit(.minutes(30))) struct EventsCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(arguments + ["--server", workspace.client.url])
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("Events are listed as text and as JSON, without control characters")
    func events() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Events.track(messageId: "m-1", name: "A\u{1B}[31m", userId: "u+1 & ä"),
                Events.track(messageId: "m-2", name: "B", userId: "u-2"),
            ])
            let all = try await run(workspace, "events")
            #expect(all.status == 0)
            let lines = all.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.contains("track     B  u-2  {\"total\":42}") == true, "\(all.output)")
            #expect(!all.output.contains("\u{1B}"))
            let some = try await run(workspace, "events", "--user", "u+1 & ä", "--json")
            #expect(try JSON.parse(some.output)["messageId"] == "m-1")
            #expect(try await run(workspace, "events", "--since", "x").status == 1)
            let rich = try await run(workspace, "events", "--where", "properties.total>41", "--limit", "1", "--json")
            #expect(try JSON.parse(rich.output)["messageId"] == "m-2")
            #expect(try await run(workspace, "events", "--where", "properties.total>42").output == "")
            #expect(try await run(workspace, "events", "--where", "a!").status == 1)
            let whole = try await run(workspace, "export", "-")
            #expect(try await run(workspace, "export", "-", "--where", "properties.total>41").output == whole.output)
            let spaced = try await run(workspace, "events", "--where", "userId = u-2", "--json")
            #expect(try JSON.parse(spaced.output)["messageId"] == "m-2")
            let doubled = try await run(workspace, "events", "--where", "userId == u-2")
            #expect(doubled.status == 1)
            #expect(doubled.errors.contains("they are = != < <= > >="), "\(doubled.errors)")
        }
    }

    @Test("An empty result with a path that no event has names the path that events have")
    func advice() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m-1", name: "A", userId: "u-1")])
            let known = "no event has total, but there are events with properties.total"
            let commands = [
                ["events", "--where", "total>1"], ["export", "-", "--where", "total>1"],
                ["export", "-", "--format", "csv", "--where", "total>1"],
                ["breakdown", "--write-key", "WK", "--property", "total"],
                ["breakdown", "--write-key", "WK", "--property", "properties.total", "--where", "total>1"],
            ]
            for command in commands {
                let outcome = try await CommandRun.finish(command + ["--server", workspace.client.url])
                #expect(outcome.status == 0, "\(command)")
                #expect(outcome.errors.contains(known), "\(command): \(outcome.errors)")
            }
            let none = try await run(workspace, "events", "--where", "no.such=1")
            #expect(
                none.errors.contains("no event has no.such; `tributary catalog` shows the properties"), "\(none.errors)"
            )
            // A path that events have needs no explanation.
            let empty = try await run(workspace, "events", "--where", "properties.total>1000")
            #expect(empty.errors == "")
        }
    }

    @Test("The name of an exported file says its format, or is refused")
    func formats() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            for (name, reason) in [
                ("x.xlsx", "not xlsx"), ("out.csv.gz", "--format csv | gzip > "),
                ("out.ndjson.gz", "tributary export - | gzip > "),
            ] {
                let outcome = try await run(workspace, "export", folder.path + "/" + name)
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains(reason), "\(outcome.errors)")
                #expect(!FileManager.default.fileExists(atPath: folder.path + "/" + name))
            }
            for name in ["a.ndjson", "a.jsonl", "a", ".hidden", "a.CSV"] {
                let path = folder.path + "/" + name
                #expect(try await run(workspace, "export", path).status == 0)
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(text.hasPrefix("{") == (name != "a.CSV"))
            }
        }
    }

    @Test("tail and wait-for-event take conditions")
    func conditions() async throws {
        try await TestWorkspace.run { workspace async throws in
            func order(_ number: Int, _ total: Int) -> JSON {
                var event = Events.track(messageId: "m-\(number)")
                event["properties"] = ["total": .number(total)]
                return event
            }
            try await workspace.client.batch([order(0, 20), order(1, 5)])
            _ = try await workspace.client.events()
            let tail = try CommandRun([
                "tail", "--server", workspace.client.url, "--where", "properties.total>10", "--count", "1", "--json",
            ])
            let shown = try #require(await tail.line(after: "{"))
            #expect(try JSON.parse("{" + shown)["messageId"] == "m-0")
            try await workspace.client.batch([order(2, 5), order(3, 20)])
            let later = try #require(await tail.line(after: "{"))
            #expect(try JSON.parse("{" + later)["messageId"] == "m-3")
            #expect(try await tail.finished().status == 0)
            let found = try await run(workspace, "wait-for-event", "--where", "properties.total>10", "--count", "2")
            let ids = try found.output.split(separator: "\n").map { try JSON.parse(String($0))["messageId"] }
            #expect(ids == ["m-0", "m-3"])
            let wrong = try await run(workspace, "tail", "--where", "a!")
            #expect(wrong.status == 1)
        }
    }

    @Test("rejected shows each refused event with its reason, and stats counts them")
    func rejected() async throws {
        try await TestWorkspace.run { workspace async throws in
            let none = try await run(workspace, "rejected")
            #expect(none.output == "")
            #expect(none.errors.contains("no event was rejected"))
            try await workspace.client.batch([
                Events.track(messageId: "m-1"), ["type": "track", "messageId": "bad"], ["type": "trak"],
            ])
            let shown = try await run(workspace, "rejected")
            #expect(shown.output.contains("no_user_anon_id"))
            #expect(shown.output.contains(#""messageId":"bad""#))
            #expect(try await run(workspace, "rejected", "--limit", "1").output.contains("unknown_type"))
            let line = try await run(workspace, "rejected", "--json", "--limit", "1")
            #expect(try JSON.parse(line.output)["code"] == "unknown_type")
            let stats = try await run(workspace, "stats", "--write-key", "WK")
            for part in ["stored                1", "  track               1", "rejected              2"] {
                #expect(stats.output.contains(part), "\(stats.output)")
            }
            #expect(try JSON.parse(try await run(workspace, "stats", "--json").output)["stored"] == 1)
            #expect(try await run(workspace, "stats", "--write-key", "NONE").status == 1)
        }
    }

    @Test(
        "An unknown write key is an error, not an empty list",
        arguments: [
            ["events"], ["export", "-"], ["tail", "--last", "0", "--count", "1"], ["wait-for-event", "--timeout", "0"],
            ["audit"],
        ])
    func unknownKey(_ command: [String]) async throws {
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.post("/api/sources/WK/keys", ["key": "SECOND"]).status == 201)
            try await workspace.client.batch([Events.track(messageId: "m-1")], writeKey: "SECOND")
            func run(_ key: String) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(command + ["--write-key", key, "--server", workspace.client.url])
            }
            let typo = try await run("WKK")
            #expect(typo.status == 1)
            #expect(typo.errors.contains("there is no source with the write key WKK"), "\(typo.errors)")
            let second = try await run("SECOND")
            #expect(second.status == 1)
            #expect(second.errors.contains("SECOND is a key of the source WK"), "\(second.errors)")
        }
    }

    @Test(
        "An unknown type is an error, not an empty list",
        arguments: [["events"], ["tail", "--last", "0", "--count", "1"], ["wait-for-event", "--timeout", "0"]])
    func unknownType(_ command: [String]) async throws {
        try await TestWorkspace.run { workspace async throws in
            let typo = try await CommandRun.finish(command + ["--type", "trak", "--server", workspace.client.url])
            #expect(typo.status == 1)
            #expect(typo.errors.contains("there is no type trak; it is one of track, identify"), "\(typo.errors)")
        }
    }

    @Test("After a restart of the workspace tail goes on without a gap or a repetition")
    func tail() async throws {
        let kept = TemporaryFolder(path: folder.path + "/data")
        let data = kept.path
        let first = try CommandRun(["serve", "--port", "0", "--data", data, "--write-key", "WK"])
        let url = try #require(await first.line(after: "tributary: listening on "))
        let client = TestClient(url: url)
        try await client.batch((0..<3).map { Events.track(messageId: "m-\($0)") })
        #expect(try await client.events().count == 3)
        let tail = try CommandRun([
            "tail", "--server", url, "--last", "2", "--count", "4", "--name", "Order Completed", "--json",
        ])
        func next() async throws -> String? {
            try await tail.line(after: "{").map { try JSON.parse("{" + $0) }?["messageId"]?.stringValue
        }
        #expect(try await next() == "m-1")
        #expect(try await next() == "m-2")
        try await client.batch([Events.track(messageId: "other", name: "Other"), Events.track(messageId: "m-3")])
        #expect(try await next() == "m-3")
        first.signal(SIGKILL)
        _ = try await first.finished()

        let port = try #require(URL(string: url)?.port)
        // These events come while no listener is connected.
        try await TestWorkspace.run(in: kept) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m-4"), Events.track(messageId: "m-5")])
            #expect(try await workspace.client.events().count == 7)
        }
        let second = try CommandRun(["serve", "--port", "\(port)", "--data", data])
        _ = try #require(await second.line(after: "tributary: listening on "))
        try await client.batch([Events.track(messageId: "m-6")])
        #expect(try await next() == "m-4")
        #expect(try await next() == "m-5")
        #expect(try await next() == "m-6")
        #expect(try await tail.finished().status == 0)
        second.signal(SIGTERM)
        _ = try await second.finished()
    }

    @Test("An export can be imported elsewhere with its times")
    func roundTrip() async throws {
        let file = folder.path + "/events.ndjson"
        let before = try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            // The device's clock is an hour behind.
            _ = try await client.post(
                "/v1/b",
                [
                    "writeKey": "WK",
                    "batch": [Events.track(messageId: "m-1"), Events.track(messageId: "m-2", name: "B")],
                ],
                headers: ["X-Sent-At": "2026-11-21T02:00:00.000Z"])
            let exported = try await run(workspace, "export", file)
            #expect(exported.status == 0)
            let csv = folder.path + "/events.csv"
            #expect(
                try await run(workspace, "export", csv, "--name", "B", "--columns", "messageId,properties.total").status
                    == 0)
            #expect(try String(contentsOfFile: csv, encoding: .utf8) == "messageId,properties.total\r\nm-2,42\r\n")
            #expect(try await run(workspace, "export", csv, "--since", "x", "--overwrite").status == 1)
            #expect(!FileManager.default.fileExists(atPath: csv + ".part"))
            return try await client.events()
        }
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await run(workspace, "import", file, "--write-key", "WK")
            #expect(outcome.status == 0)
            #expect(outcome.output == "2 events stored, 0 repeated, 0 rejected\n")
            let after = try await workspace.client.events()
            #expect(after.map { $0["timestamp"] } == before.map { $0["timestamp"] })
            #expect(after.map { $0["messageId"] } == ["m-1", "m-2"])
        }
    }

    @Test("An import that was killed and run again stores every line once")
    func killedImport() async throws {
        let count = 3_000
        let lines = (0..<count).map {
            #"{"type":"track","event":"Imported","userId":"u-\#($0)","properties":{"n":\#($0)}}"#
        }
        let file = try write(lines.joined(separator: "\n") + "\nno event\n", to: "old.ndjson")
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let arguments = ["import", file, "--write-key", "WK", "--batch", "2", "--server", client.url]
            let killed = try CommandRun(arguments)
            #expect(try await client.get("/api/wait-for-event?count=20&timeout=60").status == 200)
            killed.signal(SIGKILL)
            #expect(try await killed.finished().status == SIGKILL)
            let part = try await client.get("/api/stats").json["stored"]?.intValue ?? 0
            #expect(part < count)

            let again = try await run(workspace, "import", file, "--write-key", "WK")
            #expect(again.status == 0)
            #expect(again.output.hasSuffix(", \(part) repeated, 1 rejected\n"), "\(again.output)")
            #expect(again.errors.contains("old.ndjson:3001: it is not JSON: unknown literal (line 3001, column 1)"))
            let rows = try await client.get("/api/export").text.split(separator: "\n").map {
                try JSON.parse(String($0))
            }
            let numbers = rows.compactMap { $0["event"]?["properties"]?["n"]?.intValue }
            #expect(numbers.sorted() == Array(0..<count))
            #expect(try await client.get("/api/stats").json["duplicates"]?.intValue == part)
            // Another file with equal lines has other events; the same content under another name has the same events.
            let copy = try write(try String(contentsOfFile: file, encoding: .utf8), to: "copy.ndjson")
            #expect(
                try await run(workspace, "import", copy, "--write-key", "WK", "--from-line", "2990").output
                    == "0 events stored, 11 repeated, 1 rejected\n")
            #expect(try await client.get("/api/stats").json["stored"]?.intValue == count)
            let other = try write(lines[0], to: "other.ndjson")
            _ = try await run(workspace, "import", other, "--write-key", "WK")
            #expect(try await client.get("/api/stats").json["stored"]?.intValue == count + 1)
        }
    }

    @Test("A mapping makes events of CSV; a value that does not fit is reported with its line")
    func csv() async throws {
        let file = try write(
            "\u{FEFF}user,what,total,paid,note\r\nu-1,Bought,4.50,yes,\"a, \"\"b\"\"\nc\"\r\n\r\nu-2,Bought,,no,\r\nu-3,Bought,x,no,\r\nu-4\r\n",
            to: "sales.csv")
        let mapping = try write(
            #"{"type":"track","event":"$what","userId":"$user","properties":{"total":"$total:number","paid":"$paid:bool","note":"$note","price":"$$5"}}"#,
            to: "mapping.json")
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await run(workspace, "import", file, "--write-key", "WK", "--mapping", mapping)
            #expect(outcome.status == 0)
            #expect(outcome.output == "2 events stored, 0 repeated, 2 rejected\n")
            #expect(outcome.errors.contains("sales.csv:6: total is x, which is not a number"), "\(outcome.errors)")
            #expect(outcome.errors.contains("sales.csv:7: it has 1 values for 5 columns"))
            let events = try await workspace.client.events().map { $0["event"]?["properties"] }
            #expect(
                events == [
                    ["total": 4.50, "paid": true, "note": "a, \"b\"\nc", "price": "$5"],
                    ["paid": false, "price": "$5"],
                ])
            let wrong = try write(#"{"userId":"$nobody"}"#, to: "wrong.json")
            let refused = try await run(workspace, "import", file, "--write-key", "WK", "--mapping", wrong)
            #expect(
                refused.errors
                    == "Error: the mapping names the column nobody; the file has user, what, total, paid, note\n")
        }
    }

    @Test("A refused import prints the line to continue from")
    func refusedImport() async throws {
        let file = try write(#"{"type":"screen","userId":"u"}"#, to: "one.ndjson")
        try await TestWorkspace.run { workspace async throws in
            let unknown = try await run(workspace, "import", file, "--write-key", "NONE")
            #expect(unknown.status == 1)
            #expect(
                unknown.errors == "Error: the workspace refused: the write key is not known here; nothing was sent\n")
            let missing = try await run(workspace, "import", folder.path + "/none", "--write-key", "WK")
            #expect(missing.status == 1)
        }
    }

    @Test("A test of an app waits for an event, and then deletes all events")
    func waitAndReset() async throws {
        try await TestWorkspace.run(allowsReset: true) { workspace async throws in
            let client = workspace.client
            let none = try await run(workspace, "wait-for-event", "--name", "A", "--timeout", "0")
            #expect(none.status == 3)
            #expect(none.errors.contains("0 of 1 matching events came within 0 seconds"))
            let waiting = try CommandRun(["wait-for-event", "--name", "A", "--timeout", "60", "--server", client.url])
            try await client.batch([Events.track(messageId: "m-1", name: "A")])
            let found = try await waiting.finished()
            #expect(found.status == 0)
            #expect(try JSON.parse(found.output)["messageId"] == "m-1")
            let reset = try await run(workspace, "reset", "--write-key", "WK", "--yes")
            #expect(reset.output == "1 events deleted\n")
            #expect(try await client.events() == [])
            // Sequence numbers go on, and a deleted event may be sent again.
            try await client.batch([Events.track(messageId: "m-1", name: "A")])
            #expect(try await client.events().map { $0["sequence"] } == [2])
            let audit = try await client.get("/api/audit").json["entries"]?[0]
            #expect(audit?["action"] == "events deleted")
        }
        try await TestWorkspace.run { workspace async throws in
            let refused = try await run(workspace, "reset", "--write-key", "WK")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("--allow-reset"))
        }
    }
}
