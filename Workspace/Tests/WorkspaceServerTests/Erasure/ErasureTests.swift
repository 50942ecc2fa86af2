import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Erasing a user", .timeLimit(.minutes(30))) struct ErasureTests {
    private let user = "user-4711@example.com"

    private func fill(_ client: TestClient, _ clock: TestClock) async throws {
        var before = Events.track(messageId: "before", userId: "")
        before["anonymousId"] = "anon-of-the-user"
        try await client.batch([before, Events.track(messageId: "other", userId: "somebody else")])
        clock.advance(by: Day.milliseconds)
        var own = Events.track(messageId: "own", userId: user)
        own["anonymousId"] = "anon-of-the-user"
        try await client.batch([
            own, ["type": "alias", "userId": "new", "previousId": .string(user), "messageId": "alias"],
            // This event becomes a dead letter, because a track event needs a name.
            ["type": "track", "userId": .string(user), "messageId": "dead"],
            [
                "type": "track", "event": "Segment Signal Generated", "messageId": "signal",
                "anonymousId": "anon-of-the-user",
                "properties": ["type": "interaction", "index": 1, "anonymousId": "anon-of-the-user"],
            ],
        ])
        var trace = Events.trace("own")
        trace["stages"] = [["stage": "s", "plugin": "P", "outcome": "changed", "event": ["userId": .string(user)]]]
        _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": [trace]])
    }

    @Test("No file contains data of an erased user, and repeated events of the user stay erased")
    func filesWithoutUser() async throws {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        var environment = WorkspaceEnvironment.system
        environment.now = { clock.now }
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            let client = workspace.client
            try await fill(client, clock)
            #expect(try await client.events().count == 4)
            #expect(try DataFiles.containing(user, in: folder.path).contains { $0.hasPrefix("days/") })
            #expect(try DataFiles.containing(user, in: folder.path).contains { $0.hasPrefix("journal/") })

            let path = "/api/users/user-4711%40example.com"
            #expect(try await client.stranger.send("DELETE", path, body: nil).status == 401)
            let answer = try await client.send("DELETE", path, body: nil)
            #expect(answer.status == 200)
            #expect(
                try answer.json == [
                    "events": 3, "rejected": 1, "traces": 1, "signals": 1, "removedQuestions": [],
                    "questionsWithId": [], "unreadableFiles": 0,
                ])

            #expect(try DataFiles.containing(user, in: folder.path) == [])
            #expect(try DataFiles.containing("anon-of-the-user", in: folder.path) == [])
            #expect(try await client.events().map { $0["messageId"] } == ["other"])
            #expect(try await client.get("/api/rejected").json["rejected"] == [])
            let entry = try await client.get("/api/audit").json["entries"]?[0]
            #expect(entry?["action"] == "user erased")
            #expect(entry?["details"]?["events"] == 3)
            #expect(entry?["details"]?["userSHA256"]?.stringValue?.count == 64)
            #expect(entry?["details"]?["finished"] == nil)
            #expect(try await client.get("/api/audit").json["entries"]?[1]?["action"] == "erasure of a user begun")

            // A repeated event does not bring the event back, and later events of the user are stored.
            try await client.batch([
                Events.track(messageId: "own", userId: user), Events.track(messageId: "later", userId: user),
            ])
            #expect(try await client.events().map { $0["messageId"] } == ["other", "later"])
            #expect(try await client.get("/v1/ready").json["waitingRequests"] == 0)
        }
        // After a restart no read waits for journal places that were never used.
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            #expect(try await workspace.client.events().count == 2)
        }
    }

    @Test("The erase command deletes the events of a user and prints the counts")
    func command() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m", userId: "a/b c?d")])
            let outcome = try await CommandRun.finish([
                "erase", "--user", "a/b c?d", "--yes", "--server", workspace.client.url,
            ])
            #expect(outcome.errors == "")
            #expect(outcome.output == "erased: 1 events, 0 dead letters, 0 traces, 0 signals\n")
            #expect(try await workspace.client.events().isEmpty)
        }
    }

    @Test("An erasure that a reader interrupted is finished by the next erasure")
    func interrupted() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "m", userId: user), Events.track(messageId: "other")])
            #expect(try await client.events().count == 2)
            let file = try #require(
                try DataFiles.containing(user, in: folder.path).first { $0.hasSuffix(".sqlite-wal") })
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(
                path: folder.path + "/" + file.dropLast("-wal".count), configuration: configuration)
            try await reader.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN")
                _ = try Row.fetchOne(db, sql: "SELECT * FROM event")
            }
            let path = "/api/users/user-4711%40example.com"
            #expect(try await client.send("DELETE", path, body: nil).status == 503)
            #expect(try await client.events().map { $0["messageId"] } == ["other"])
            let entry = try await client.get("/api/audit").json["entries"]?[0]
            #expect(entry?["action"] == "user erased")
            #expect(entry?["details"]?["finished"] == false)
            try await reader.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
            try reader.close()
            #expect(try await client.send("DELETE", path, body: nil).status == 200)
            #expect(try DataFiles.containing(user, in: folder.path) == [])
        }
    }

    /// A workspace's parts without a server, with events of a user on some days.
    private func parts(_ folder: TemporaryFolder, days: Int64) async throws -> (Store, Erasure) {
        let data = try DataFolder(path: folder.path)
        let store = try Store.testing(data)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        let journal = try IngestJournal(folder: data, capacity: 1 << 20)
        let batches = (0..<days).map { day in
            IncomingBatch(
                source: 1, receivedAt: StoredEvents.day(day),
                events: [StoredEvents.event("m-\(day)", at: StoredEvents.day(day), userId: user)])
        }
        _ = try await store.write(batches, through: JournalOffset(epoch: 1, sequence: 1), now: { 1 })
        let intake = JournalIntake(journal: journal, progress: IndexProgress(sequence: 1))
        return (store, Erasure(store: store, intake: intake, suppressions: SuppressionBook(), now: { 1 }))
    }

    private func actions(_ store: Store) async throws -> [JSON] {
        try await store.newestAudit(limit: 10).filter {
            $0["action"]?.stringValue?.contains("eras") == true
        }
    }

    @Test("A cancelled erasure notes the finished days, and the next erasure does the other days")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let (store, erasure) = try await parts(folder, days: 5)
        let task = Task {
            try await erasure.erase(user, by: Administrator(way: .token)) { progress in
                if progress.daysDone == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: (any Error).self) { try await task.value }
        let entry = try #require(try await actions(store).first)
        #expect(entry["action"] == "user erased")
        #expect(entry["details"]?["finished"] == false)
        #expect(entry["details"]?["days"] == 2)
        #expect(entry["details"]?["events"] == 2)
        #expect(try await erasure.erase(user, by: Administrator(way: .token)).events == 3)
        #expect(try await actions(store).count == 4)
        #expect(try await store.events(EventQuery()).rows.isEmpty)
    }

    @Test(
        "A repeated request to erase a user waits for the erasure that runs"
    )
    func waiting() async throws {
        let folder = try TemporaryFolder()
        let (store, erasure) = try await parts(folder, days: 2)
        let runs = DeletionRuns(erasure)
        // The test locks the database of the workspace, so the erasure cannot begin.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(path: folder.path + "/workspace.sqlite", configuration: configuration)
        try await holder.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        guard case .running = try await runs.delete(user, by: Administrator(way: .token), within: .milliseconds(1))
        else {
            Issue.record("the erasure had an end")
            return
        }
        async let first = runs.delete(user, by: Administrator(way: .token), within: .seconds(60))
        try await holder.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        guard case .finished(let erased) = try await first else {
            Issue.record("the erasure has no end")
            return
        }
        try holder.close()
        #expect(erased.events == 2)
        #expect(try await actions(store).count == 2)
        // No indexer runs here that would pass the journal places without a request.
        let intake = try #require(erasure.intake as? JournalIntake)
        await intake.progress.advance(to: intake.journal.lastSequence)
        guard
            case .finished(let nothing) = try await runs.delete(
                user, by: Administrator(way: .token), within: .seconds(60))
        else {
            Issue.record("the second erasure has no end")
            return
        }
        #expect(nothing == Erased())
    }
}
