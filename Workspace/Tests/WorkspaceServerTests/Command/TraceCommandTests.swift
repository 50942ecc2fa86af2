import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand

@Suite("tributary trace", .timeLimit(.minutes(30))) struct TraceCommandTests {
    private func trace(_ id: String, user: String) -> JSON {
        var trace = Events.trace(id)
        trace["userId"] = .string(user)
        trace["stages"] = [
            ["stage": "before", "plugin": "Context", "outcome": "changed", "builtIn": true],
            ["stage": "enrichment", "plugin": "Idle", "outcome": "unchanged"],
            [
                "stage": "enrichment", "plugin": "Fix\u{1B}", "outcome": "changed",
                "changes": [["path": "properties.mail", "before": "…"], ["path": "properties.id", "after": "…"]],
            ],
            ["stage": "destination", "plugin": "Segment.io", "destination": "Segment.io", "outcome": "delivered"],
        ]
        return trace
    }

    @Test("The command orders traces of a user, and shows only these traces")
    func show() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            // This trace is of an earlier order.
            _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": [trace("m-0", user: "u-1")]])
            let command = try CommandRun([
                "trace", "--server", client.url, "--write-key", "WK", "--user", "u-1", "--for", "5m", "--count", "1",
            ])
            while try await client.get("/api/sources/WK/traces").json["orders"]?.elements?.isEmpty != false {
                await Task.yield()
            }
            let traces = [trace("m-1", user: "u-2"), trace("m-2", user: "u-1")]
            _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": .array(traces)])
            let outcome = try await command.finished()
            #expect(outcome.status == 0)
            #expect(outcome.errors.hasPrefix("devices trace the events of u-1 until "))
            #expect(
                outcome.output == """
                    2026-11-21T01:00:00.000Z  sent  track  Order Completed  u-1
                        enrichment  Fix\u{FFFD}  changed  properties.mail, properties.id
                        destination  Segment.io  Segment.io  delivered

                    """)
            let end = try await CommandRun.finish([
                "trace", "--server", client.url, "--write-key", "WK", "--user", "u-1", "--stop",
            ])
            #expect(end.output == "devices trace the events of u-1 no more\n")
            #expect(try await client.get("/api/sources/WK/traces").json == ["orders": []])
        }
    }

    @Test(
        "Invalid options are refused with the reason before a request is sent",
        arguments: [
            [], ["--user", "u", "--anonymous-id", "a"], ["--user", "u", "--for", "2h"], ["--user", "u", "--for", "0s"],
            ["--user", "u", "--for", "15"], ["--user", "u", "--count", "0"], ["--user", "u", "--stop", "--json"],
        ])
    func bad(options: [String]) async throws {
        #expect(try await CommandRun.finish(["trace", "--write-key", "WK"] + options).status == 64)
    }
}
