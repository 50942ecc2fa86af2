import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A real server, real processes with functions, and a real receiver.
@Suite("Roll-outs of destination functions", .timeLimit(.minutes(30))) struct FunctionRolloutTests {
    private static let path = "/api/sources/WK/destinations/Fn"
    private static let users = 60

    /// A function that sends the number of the event and its user to this path.
    private static func settings(_ path: String, _ url: String, secrets: String = "{}", before: String = "") -> JSON {
        let code = """
            class Fn extends Destination {
              static settings = { endpoint: { required: true } };
              static secrets = \(secrets);
              static hosts = ["{endpoint}"];
              track(event, settings) {
                \(before)
                return request("POST", settings.endpoint + "/\(path)", { body: { id: event.messageId, userId: event.userId } });
              }
            }
            """
        return ["code": .string(code), "settings": ["endpoint": .string(url)]]
    }

    private func serve(
        folder: TemporaryFolder? = nil, receiver: Receiver = Receiver(),
        _ body: (TestWorkspace, Receiver, String) async throws -> Void
    ) async throws {
        try await receiver.run { url in
            try await TestWorkspace.run(
                in: folder, program: CommandRun.executable.path, rolloutPause: .milliseconds(20)
            ) { workspace async throws in
                let answer = try await put(
                    workspace, ["kind": "function", "settings": Self.settings("old", url)])
                #expect(answer.status == 201, "\(answer.text)")
                try await body(workspace, receiver, url)
            }
        }
    }

    private func put(_ workspace: TestWorkspace, _ body: JSON) async throws -> TestClient.Answer {
        try await workspace.client.put(Self.path, body.description)
    }

    /// Stores other settings for a part of the users.
    private func begin(
        _ workspace: TestWorkspace, _ settings: JSON, stages: JSON, events: Int = 20, more: JSONObject = [:]
    ) async throws {
        var body: JSONObject = [
            "settings": settings, "rollout": ["stages": stages, "holdSeconds": 0, "minimumEvents": .number(events)],
        ]
        for (name, value) in more { body[name] = value }
        let answer = try await put(workspace, .object(body))
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// Tracks one event of each user.
    private func track(_ workspace: TestWorkspace, round: Int) async throws {
        try await workspace.client.batch(
            (0..<Self.users).map { user in
                Events.track(messageId: "\(round)-\(user)", userId: "u-\(user)")
            })
    }

    private func rollout(_ workspace: TestWorkspace, until holds: (JSON) -> Bool) async throws -> JSON {
        let answer = try await workspace.until(Self.path + "/rollout") { answer in
            answer["rollout"].map(holds) ?? false
        }
        return answer["rollout"] ?? .null
    }

    private static func ids(_ deliveries: [Receiver.Delivery]) -> [String] {
        deliveries.compactMap { $0.event["id"]?.stringValue }
    }

    private static func ids(rounds: Range<Int>) -> Set<String> {
        Set(rounds.flatMap { round in (0..<users).map { "\(round)-\($0)" } })
    }

    @Test("Good code goes from stage to stage, each event arrives once, and those of a user in order")
    func good() async throws {
        try await serve { workspace, receiver, url in
            try await track(workspace, round: 0)
            _ = await receiver.accepts(Self.users)
            try await begin(workspace, Self.settings("new", url), stages: [40, 100])
            var round = 1
            for stage in 1...2 {
                _ = try await rollout(workspace) { $0["stage"]?.intValue == stage }
                // Twenty events of the users of the stage decide, and there are fewer of them in one round.
                while try await workspace.client.get(Self.path + "/rollout").json["rollout"]?["stage"]?.intValue
                    == stage,
                    try await workspace.client.get(Self.path + "/rollout").json["rollout"]?["state"] == "running"
                {
                    try await track(workspace, round: round)
                    round += 1
                    _ = await receiver.accepts(round * Self.users)
                }
            }
            let ended = try await rollout(workspace) { $0["state"] == "finished" }
            #expect(ended["percentage"] == 100)
            try await track(workspace, round: round)
            let got = await receiver.accepts((round + 1) * Self.users)
            #expect(Self.ids(got).sorted() == Self.ids(rounds: 0..<(round + 1)).sorted())
            // Both versions sent events of the first stage, the new one always those of the same users.
            let (old, new) = (got.filter { $0.path == "/old" }, got.filter { $0.path == "/new" })
            #expect(Self.ids(old).contains { $0.hasPrefix("1-") })
            #expect(Self.ids(new).contains { $0.hasPrefix("1-") })
            #expect(new.count { $0.event["id"]?.stringValue?.hasPrefix("\(round)-") == true } == Self.users)
            for (_, events) in Dictionary(grouping: got, by: \.user) {
                let rounds = Self.ids(events).compactMap { Int($0.prefix { $0 != "-" }) }
                #expect(rounds == rounds.sorted())
                let paths = events.map(\.path)
                #expect(paths == paths.sorted(by: >), "a user does not go back to the version before: \(paths)")
            }
        }
    }

    @Test(
        "Bad code is taken back, and what it could not send arrives by the code before it",
        arguments: [
            "throw new Error('no price');", "return request('POST', settings.endpoint + '/refused', { body: 'x' });",
        ])
    func bad(body: String) async throws {
        let receiver = Receiver { delivery, _ in Receiver.Answer(status: delivery.path == "/refused" ? 400 : 200) }
        try await serve(receiver: receiver) { workspace, receiver, url in
            try await begin(workspace, Self.settings("new", url, before: body), stages: [50, 100], events: 15)
            for round in 0..<2 { try await track(workspace, round: round) }
            let ended = try await rollout(workspace) { $0["state"] == "rolledBack" }
            #expect(ended["reason"]?.stringValue?.contains("100.0 % of ") == true, "\(ended)")
            #expect(ended["stage"] == 1)
            let got = await receiver.accepts(2 * Self.users)
            #expect(Self.ids(got).sorted() == Self.ids(rounds: 0..<2).sorted())
            #expect(got.allSatisfy { $0.path == "/old" })
            let state = try await workspace.until(Self.path) { $0["deadLetters"] == 0 && $0["retrying"] == 0 }
            #expect(state["settings"]?["code"]?.stringValue?.contains("/old") == true)
            let versions = try await workspace.client.get(Self.path + "/versions").json
            #expect(versions["current"] == 3)
            let audit = try await workspace.client.get("/api/audit").text
            #expect(audit.contains("destination function rolled back"))
            // What became of those settings says nothing about other ones that are stored later.
            #expect(try await put(workspace, ["settings": Self.settings("third", url)]).status == 200)
            #expect(try await workspace.client.get(Self.path + "/rollout").json == ["rollout": .null])
        }
    }

    @Test("An operator stops a roll-out, lets it go on, begins the next stage and goes back")
    func byHand() async throws {
        try await serve { workspace, receiver, url in
            let client = workspace.client
            #expect(try await client.get(Self.path + "/rollout").json == ["rollout": .null])
            #expect(try await client.post(Self.path + "/rollout/advance", [:]).status == 409)
            try await begin(workspace, Self.settings("new", url), stages: [1, 50, 100], events: 10_000)
            #expect(try await client.post(Self.path + "/rollout/pause", [:]).json["rollout"]?["state"] == "paused")
            #expect(try await client.post(Self.path + "/rollout/pause", [:]).status == 409)
            let report = try await client.get(Self.path).json["rollout"]
            #expect(report?["reason"] == "an operator paused it")
            #expect(try await client.post(Self.path + "/rollout/resume", [:]).json["rollout"]?["state"] == "running")
            let widened = try await client.post(Self.path + "/rollout/advance", [:]).json["rollout"]
            #expect(widened?["percentage"] == 50)
            // Other settings would be a third version.
            let third = try await put(workspace, ["settings": Self.settings("third", url)])
            #expect(third.status == 409, "\(third.text)")
            #expect(try await put(workspace, ["enabled": true]).status == 200)
            #expect(try await client.post(Self.path + "/rollback", ["version": 2]).status == 409)
            let back = try await client.post(Self.path + "/rollback", [:]).json
            #expect(back == ["version": 3, "contentOf": 1])
            let ended = try await client.get(Self.path + "/rollout").json["rollout"]
            #expect(ended?["state"] == "ended")
            try await track(workspace, round: 0)
            #expect(await receiver.accepts(Self.users).allSatisfy { $0.path == "/old" })
        }
    }

    @Test("A server that is started again goes on in the same stage, with the secrets of both versions")
    func startedAgain() async throws {
        let folder = try TemporaryFolder()
        try await serve(folder: folder) { workspace, _, url in
            let first = Self.settings("first", url, secrets: "{ a: { required: true } }", before: "secret('a');")
            #expect(try await put(workspace, ["settings": first, "secrets": ["a": "1"]]).status == 200)
            let second = Self.settings("second", url, secrets: "{ b: { required: true } }", before: "secret('b');")
            try await begin(
                workspace, second, stages: [50, 100], events: 10_000, more: ["secrets": ["b": "2"]])
        }
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(
                in: folder, program: CommandRun.executable.path, rolloutPause: .milliseconds(20)
            ) { workspace in
                let state = try await workspace.client.get(Self.path).json
                #expect(state["rollout"]?["state"] == "running")
                #expect(state["secrets"] == ["a", "b"])
                #expect(try await workspace.client.post(Self.path + "/rollout/advance", [:]).status == 200)
                #expect(
                    try await workspace.client.post(Self.path + "/rollout/advance", [:]).json["rollout"]?["state"]
                        == "finished")
                // The address of the receiver is another one now.
                let change: JSON = ["settings": Self.settings("third", url)]
                #expect(try await put(workspace, change).status == 200)
                try await track(workspace, round: 0)
                #expect(await receiver.accepts(Self.users).allSatisfy { $0.path == "/third" })
            }
        }
    }

    @Test("A roll-out that makes no sense is refused")
    func refused() async throws {
        let bodies: [JSON] = [
            ["rollout": ["stages": [50, 100]]],
            ["enabled": true, "rollout": ["stages": [100]]],
            ["settings": ["code": "class Fn extends Destination {}"], "rollout": ["stages": [50]]],
            ["settings": ["code": "class Fn extends Destination {}"], "rollout": [50, 100]],
        ]
        try await serve { workspace, _, _ in
            for body in bodies {
                let answer = try await put(workspace, body)
                #expect(answer.status == 400, "\(body): \(answer.text)")
            }
            #expect(try await workspace.client.get(Self.path + "/versions").json["current"] == 1)
            let other = try await workspace.client.put(
                "/api/sources/WK/destinations/Hook",
                #"{"kind":"webhook","settings":{"url":"https://example.com"},"rollout":{"stages":[100]}}"#)
            #expect(other.status == 400, "\(other.text)")
        }
    }
}
