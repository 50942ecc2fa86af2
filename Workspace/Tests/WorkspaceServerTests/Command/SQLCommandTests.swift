import Foundation
import Testing
import TributaryJSON

/// `tributary sql` with a real server.
@Suite("Asking in SQL", .timeLimit(.minutes(30))) struct SQLCommandTests {
    private static func sql(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["sql", "--server", workspace.client.url, "--write-key", "WK"] + arguments)
    }

    private static func fill(_ client: TestClient) async throws {
        try await client.batch(
            (1...5).map { number in
                var event = Events.track(messageId: "m-\(number)", name: "Order Completed", userId: "u-\(number % 2)")
                event["properties"] = ["total": .number(JSONNumber(number * 10)), "code": .string("a,\(number)")]
                return event
            } + [Events.track(messageId: "other", name: "Other")])
        _ = try await client.events()
    }

    @Test("Stored events are tables, and the answer is a table, lines of CSV or of JSON")
    func asks() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await Self.fill(workspace.client)
            let query = "SELECT user_id, sum(total) AS total FROM order_completed GROUP BY 1 ORDER BY 1"
            let table = try await Self.sql(workspace, query)
            #expect(table.status == 0, "\(table.errors)")
            #expect(table.output == "user_id  total\nu-0         60\nu-1         90\n")
            let json = try await Self.sql(workspace, "--format", "json", query)
            #expect(json.output == #"{"user_id":"u-0","total":60}"# + "\n" + #"{"user_id":"u-1","total":90}"# + "\n")
            let csv = try await Self.sql(
                workspace, "--format", "csv", "--limit", "1", "SELECT code FROM order_completed ORDER BY id")
            #expect(csv.output == "code\n\"a,1\"\n")
            #expect(csv.errors.contains("only the first 1 rows"))
            let list = try await Self.sql(workspace)
            #expect(list.output.contains("order_completed: 5 rows\n"))
            #expect(list.output.contains("user_id"))
            let chosen = try await Self.sql(
                workspace, "--where", "properties.total>30", "SELECT count(*) AS n FROM tracks")
            #expect(chosen.output == "n\n3\n")
        }
    }

    @Test("The tables can be kept in a new file; a run that fails leaves none")
    func keeps() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/events.sqlite"
        try await TestWorkspace.run { workspace async throws in
            try await Self.fill(workspace.client)
            let few = try await Self.sql(workspace, "--most", "3", "--save", file, "SELECT 1")
            #expect(few.status == 1)
            #expect(few.errors.contains("more than 3 events match"))
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try await Self.sql(workspace, "--save", file, "SELECT 1").status == 0)
            #expect(FileManager.default.fileExists(atPath: file))
            let again = try await Self.sql(workspace, "--save", file, "SELECT 1")
            #expect(again.errors.contains("exists; name a new file"))
        }
    }

    @Test(
        "A mistake is named",
        arguments: [
            (["DELETE FROM tracks"], "only reads"), (["SELECT * FROM orders"], "no such table"),
            (["--limit", "0", "SELECT 1"], "--limit is a number above 0"),
            (["--since", "yesterday", "SELECT 1"], "since"), (["\u{1B}[2J"], "unrecognized token"),
        ])
    func mistakes(arguments: [String], reason: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let run = try await CommandRun.finish(
                ["sql", "--server", workspace.client.url, "--write-key", "WK"] + arguments)
            #expect(run.status != 0)
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(!run.errors.contains("\u{1B}"), "a terminal gets no sign of control")
        }
    }
}
