import Foundation
import Synchronization
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Links to the board", .timeLimit(.minutes(30))) struct BoardLinkTests {
    private static let shop: [JSON] = (0..<4).map { number in
        [
            "type": "track", "event": "Viewed", "messageId": .string("v-\(number)"), "userId": .string("u-\(number)"),
            "properties": ["plan": number % 2 == 0 ? "free" : "pro"],
        ]
    }

    /// A client with a link, and the answer that made it.
    private func link(
        _ name: String = "hall", until: String? = nil, of workspace: TestWorkspace
    ) async throws -> (client: TestClient, made: JSON) {
        var body: JSON = ["name": .string(name)]
        if let until { body["until"] = .string(until) }
        let answer = try await workspace.client.post("/api/board-links", body)
        #expect(answer.status == 201, "\(answer.text)")
        var client = workspace.client
        client.token = try answer.json["token"]?.stringValue
        return (client, try answer.json)
    }

    private func put(_ workspace: TestWorkspace, _ name: String, _ query: String, board: Int? = 1) async throws {
        let encoded = query.addingPercentEncoding(
            withAllowedCharacters: .urlQueryAllowed.subtracting(CharacterSet(charactersIn: "?#\"")))
        let body: JSON = ["place": "explore", "query": .string(encoded), "board": .number(board)]
        let answer = try await workspace.client.send("PUT", "/api/views/\(name)", body: body.encoded())
        #expect(answer.status == 201, "\(answer.text)")
    }

    @Test("A reader of a link gets the answers on the board, and neither keys nor conditions nor paths")
    func answers() async throws {
        let questions = [
            ("types", "by=type&source=WK"), ("names", "by=name&days=7&source=WK"), ("sources", "by=source"),
            ("plans", "by=property&property=properties.plan&days=7&source=WK&where=event=Viewed"),
            (
                "buyers",
                #"by=funnel&steps=[{"type":"track","name":"Viewed","where":["event=Viewed"]},{"name":"Bought"}]"#
            ),
            ("again", #"by=retention&first={"type":"track","name":"Viewed"}"#),
        ]
        try await TestWorkspace.run { workspace in
            try await workspace.client.batch(Self.shop)
            for (name, query) in questions { try await put(workspace, name, query, board: 9) }
            try await put(workspace, "hidden", "by=name", board: nil)
            let (reader, made) = try await link(of: workspace)
            #expect(made["path"]?.stringValue == "/shared#\(try #require(reader.token))")
            let board = try await reader.get("/api/shared-board")
            #expect(try board.json["questions"] == .strings(questions.map(\.0)))
            #expect(board.header("Cache-Control") == "no-store")
            var answers: [String: JSON] = [:]
            for (name, _) in questions {
                let answer = try await reader.get("/api/shared-board/\(name)")
                answers[name] = try answer.json
                #expect(try answer.json["state"] == "answered", "\(answer.text)")
                for secret in ["WK", "event=Viewed", "properties.plan", "u-1"] {
                    #expect(!answer.text.contains(secret), "\(name) tells \(secret): \(answer.text)")
                }
            }
            #expect(answers["types"]?["answer"]?["names"] == [])
            #expect(answers["names"]?["answer"]?["names"]?[0]?["name"] == "Viewed")
            #expect(answers["plans"]?["answer"]?["values"]?.elements?.count == 2)
            #expect(answers["buyers"]?["answer"]?["all"]?["people"] == [4, 0])
            #expect(answers["buyers"]?["question"]?["steps"]?.stringValue?.contains("Viewed") == true)
            #expect(answers["again"]?["answer"]?["all"]?["people"] == 4)
            #expect(answers["sources"]?["answer"]?["sources"]?[0]?["name"] != nil)
            #expect(try await reader.get("/api/shared-board/hidden").status == 404)
        }
    }

    @Test("No other route answers with a link, and no parameter changes a question")
    func nothingElse() async throws {
        let document = try JSON.parse(EmbeddedFile.named("openapi.json").text)
        try await TestWorkspace.run(trustedProxies: ["127.0.0.1"]) { workspace in
            try await put(workspace, "types", "by=type")
            let (reader, _) = try await link(of: workspace)
            var asked = 0
            for (path, item) in try #require(document["paths"]?.objectValue) where !path.hasPrefix("/api/shared-board")
            {
                for (method, operation) in item.objectValue ?? [:] where operation["security"] != nil {
                    asked += 1
                    // Each of another address, because wrong tokens are slowed.
                    let answer = try await reader.send(
                        method.uppercased(), path.replacing(#/\{\w+\}/#, with: "none"),
                        body: method == "get" ? nil : [],
                        headers: [
                            "Authorization": "Bearer \(try #require(reader.token))",
                            "X-Forwarded-For": "10.0.\(asked / 250).\(asked % 250)",
                        ])
                    #expect(answer.status == 401, "\(method) \(path): \(answer.text)")
                }
            }
            #expect(asked > 60)
            #expect(try await reader.get("/api/shared-board/types?days=7").status == 400)
            #expect(try await reader.get("/api/shared-board?writeKey=WK").status == 400)
            #expect(try await reader.post("/api/shared-board", [:]).status == 405)
            let login = try await reader.stranger.form(
                "/login", "token=\(try #require(reader.token))", headers: ["X-Forwarded-For": "10.1.1.1"])
            #expect(login.status == 401)
        }
    }

    @Test("A revoked link and one that is over show nothing, and wrong ones are slowed like other guesses")
    func ends() async throws {
        let clock = Mutex<Int64>(1_790_000_000_000)
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock.withLock { $0 } }
        try await TestWorkspace.run(environment: environment) { workspace in
            let (first, _) = try await link("first", of: workspace)
            let (second, made) = try await link("second", until: "2026-09-30", of: workspace)
            #expect(made["endsAt"] == "2026-09-30T00:00:00.000Z")
            #expect(try await workspace.client.post("/api/board-links", ["name": "second"]).status == 409)
            #expect(try await second.get("/api/shared-board").status == 200)
            #expect(try await workspace.client.send("DELETE", "/api/board-links/first", body: nil).status == 200)
            #expect(try await first.get("/api/shared-board").status == 401)
            clock.withLock { $0 += 30 * Day.milliseconds }
            #expect(try await second.get("/api/shared-board").status == 401)
            for _ in 0..<Limits.guesses { _ = try await first.get("/api/shared-board") }
            #expect(try await first.get("/api/shared-board").status == 429)
            let links = try await workspace.store.boardLinks()
            #expect(links.map(\.name) == ["second"] && links[0].usedAt == 1_790_000_000_000)
            let audit = try await workspace.store.newestAudit(limit: 10)
            #expect(audit.count { $0["action"] == "link to the board made" } == 2)
            #expect(audit.count { $0["action"] == "link to the board revoked" } == 1)
        }
    }

    @Test("A question that lists persons, one with a mistake and one of a removed source say why they show nothing")
    func failures() async throws {
        let questions = [
            ("users", "by=property&property=userId", "this question lists persons, so a link does not show it"),
            (
                "mails", "by=property&property=context.traits.email",
                "this question lists persons, so a link does not show it"
            ),
            ("worse", "by=property", "this question has a mistake; in the console it says which"),
            ("wrong", "by=property&property=a..b", "this question has a mistake; in the console it says which"),
            ("where", "by=name&where=userId=u-1", "this question has a mistake; in the console it says which"),
            ("gone", "by=type&source=GONE", "the source of this question was removed"),
        ]
        try await TestWorkspace.run { workspace in
            for (name, query, _) in questions { try await put(workspace, name, query) }
            let (reader, _) = try await link(of: workspace)
            for (name, _, problem) in questions {
                let answer = try await reader.get("/api/shared-board/\(name)").json
                #expect(answer["state"] == "failed" && answer["problem"] == .string(problem), "\(answer)")
            }
        }
    }

    @Test("Only those who may administer make links")
    func role() async throws {
        try await TestWorkspace.run { workspace in
            let made = try await workspace.client.post("/api/tokens", ["name": "Ana", "role": "deploy"])
            var ana = workspace.client
            ana.token = try made.json["token"]?.stringValue
            #expect(try await ana.post("/api/board-links", ["name": "x"]).status == 403)
            #expect(try await ana.get("/api/shared-board").status == 200)
        }
    }

    @Test("The command makes, lists and revokes links")
    func command() async throws {
        try await TestWorkspace.run { workspace in
            func run(_ arguments: String..., code: Int32 = 0) async throws -> String {
                let outcome = try await CommandRun.finish(
                    ["view", "link"] + arguments + ["--server", workspace.client.url])
                #expect(outcome.status == code, "\(outcome)")
                return outcome.output
            }
            let address = try await run("add", "hall", "--until", "2099-01-31").split(separator: "\n")[0]
            #expect(address.hasPrefix(workspace.client.url + "/shared#tributary-board-"))
            #expect(try await run("list").contains("ends 2099-01-31"))
            #expect(try await run("revoke", "hall", "--yes").contains("there is no link to the board"))
            _ = try await run("revoke", "hall", "--yes", code: 1)
        }
    }
}

@Suite("Answers on the board", .timeLimit(.minutes(30))) struct BoardAnswersTests {
    private func question(_ name: String) throws -> BoardQuestion {
        let change = try ViewChange(
            name, ["place": "explore", "query": .string("by=property&property=\(name)"), "board": 1])
        return try BoardQuestion(change.applied(to: nil, by: nil, now: 1))
    }

    /// Counts the questions that run at once, and all questions that ran.
    private actor Asked {
        private(set) var all: [BoardQuestion] = []
        private(set) var most = 0
        private var running = 0

        func ask(_ question: BoardQuestion) async -> JSON {
            running += 1
            most = max(most, running)
            all.append(question)
            await Task.yield()
            running -= 1
            return .number(all.count)
        }
    }

    @Test("Many readers cost one question at a time, and one a minute")
    func kept() async throws {
        let clock = Mutex<Int64>(1_000_000)
        let asked = Asked()
        let answers = BoardAnswers(now: { clock.withLock { $0 } }) { await asked.ask($0) }
        let questions = try (0..<5).map { try question("p\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask { _ = try await answers.answer(to: questions[index % 5], within: .seconds(60)) }
            }
            try await group.waitForAll()
        }
        #expect(await asked.all.count == 5)
        #expect(await asked.most == 1)
        clock.withLock { $0 += Limits.boardAnswerMilliseconds - 1 }
        _ = try await answers.answer(to: questions[0], within: .seconds(60))
        #expect(await asked.all.count == 5)
        clock.withLock { $0 += 1 }
        _ = try await answers.answer(to: questions[0], within: .seconds(60))
        #expect(await asked.all.count == 6)
    }

    @Test("A reader who waited long enough leaves, and the answer is there for the next one")
    func patience() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let answers = BoardAnswers(now: { 1_000_000 }) { _ in
            for await _ in ends { break }
            return "counted"
        }
        let question = try question("p")
        #expect(try await answers.answer(to: question, within: .zero) == nil)
        end.yield()
        let answer = try #require(try await answers.answer(to: question, within: .seconds(60)))
        #expect(try answer.outcome.get() == "counted")
    }
}
