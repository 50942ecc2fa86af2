import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Stored events are sent to a destination once more", .timeLimit(.minutes(30))) struct ReplayTests {
    private static let path = "/api/sources/WK/destinations/Hook"
    private static let replay = path + "/replay"
    private static let never = Duration.seconds(86_400)

    /// Makes a destination, and lets it take three events of each of two names.
    private static func delivered(_ workspace: TestWorkspace, _ url: String, _ receiver: Receiver) async throws {
        let client = workspace.client
        let body = #"{"kind":"webhook","settings":{"url":"\#(url)/in"}}"#
        #expect(try await client.put(path, body).status == 201)
        for number in 1...3 {
            try await client.batch(["A", "B"].map { Events.track(messageId: "\($0)-\(number)", name: $0) })
        }
        _ = await receiver.accepts(6)
        try await workspace.until(path) { $0["delivered"] == 6 && $0["caughtUp"] == true }
    }

    @Test("The chosen events come again in their order, with their ids, and nothing else does")
    func chosen() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(replayPause: .milliseconds(5)) { workspace async throws in
                let client = workspace.client
                try await Self.delivered(workspace, url, receiver)
                let first = receiver.deliveries.filter { $0.id.hasPrefix("A") }
                let begun = try await client.post(Self.replay + "?name=A&where=properties.total%3E1", [:])
                #expect(begun.status == 201, "\(begun.text)")
                #expect(try begun.json["events"] == ["name": "A", "where": ["properties.total>1"]])
                let ended = try await workspace.until(Self.replay) {
                    $0["state"] == "finished" && $0["waiting"] == 0
                }
                #expect(ended["handedOver"] == 3)
                #expect(ended["leftOut"] == 0)
                #expect(ended["endedAt"]?.stringValue != nil)
                let again = receiver.deliveries.dropFirst(6)
                #expect(again.map(\.id) == ["A-1", "A-2", "A-3"])
                #expect(again.map(\.body) == first.map(\.body))
                try await workspace.until(Self.path) { $0["delivered"] == 9 }
                #expect(try await client.get("/api/audit").text.contains("replay begun"))
            }
        }
    }

    @Test("A dry run counts by the filters of now, and sends nothing")
    func dryRun() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(replayPause: .milliseconds(5)) { workspace async throws in
                let client = workspace.client
                try await Self.delivered(workspace, url, receiver)
                let rule = """
                    [{"name":"no B","scope":"destinations","destinationName":"Hook",
                      "matchers":[{"ir":"[\\"=\\",\\"event\\",{\\"value\\":\\"B\\"}]","type":"fql"}],
                      "transformers":[[{"type":"drop"}]]}]
                    """
                #expect(try await client.put("/api/sources/WK/filters", rule).status == 200)
                let trial = try await client.post(Self.replay + "?dryRun=true", [:])
                let reason = "left out: the filter “no B” drops it"
                #expect(
                    try trial.json == [
                        "events": 6, "sent": 3, "leftOut": [["reason": .string(reason), "events": 3]], "complete": true,
                    ])
                #expect(try await client.get(Self.replay).status == 404)
                // A replay decides in the same way.
                _ = try await client.post(Self.replay, [:])
                let ended = try await workspace.until(Self.replay) {
                    $0["state"] == "finished" && $0["waiting"] == 0
                }
                #expect(ended["handedOver"] == 3 && ended["leftOut"] == 3)
                #expect(receiver.deliveries.dropFirst(6).map(\.id) == ["A-1", "A-2", "A-3"])
            }
        }
    }

    @Test("A replay can wait, go on and end, and only one is under way")
    func steps() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(replayPause: Self.never) { workspace async throws in
                let client = workspace.client
                try await Self.delivered(workspace, url, receiver)
                #expect(try await client.post(Self.replay + "/pause", [:]).status == 404)
                #expect(try await client.post(Self.replay + "?rate=5", [:]).json["rate"] == 5)
                #expect(try await client.post(Self.replay, [:]).status == 409)
                #expect(try await client.post(Self.replay + "/pause", [:]).json["state"] == "paused")
                #expect(try await client.post(Self.replay + "/pause", [:]).json["state"] == "paused")
                #expect(try await client.post(Self.replay + "/resume", [:]).json["state"] == "running")
                #expect(try await client.send("DELETE", Self.replay, body: []).json["state"] == "ended")
                #expect(try await client.post(Self.replay + "/resume", [:]).status == 409)
                #expect(try await client.post(Self.replay, [:]).status == 201, "the earlier one is over")
            }
        }
        #expect(receiver.deliveries.count == 6)
    }

    @Test("A replay goes on after a restart of the server")
    func restart() async throws {
        let (receiver, folder) = (Receiver(), try TemporaryFolder())
        try await receiver.run { url in
            try await TestWorkspace.run(in: folder, replayPause: Self.never) { workspace async throws in
                try await Self.delivered(workspace, url, receiver)
                #expect(try await workspace.client.post(Self.replay + "?name=B", [:]).status == 201)
            }
            try await TestWorkspace.run(in: folder, replayPause: .milliseconds(5)) { workspace async throws in
                let ended = try await workspace.until(Self.replay) {
                    $0["state"] == "finished" && $0["waiting"] == 0
                }
                #expect(ended["handedOver"] == 3)
            }
        }
        #expect(receiver.deliveries.dropFirst(6).map(\.id) == ["B-1", "B-2", "B-3"])
    }

    @Test("Events wait while the destination is off or refuses, and none is skipped")
    func unavailable() async throws {
        let receiver = Receiver { delivery, before in
            delivery.id == "A-1" && before == 1 ? .init(status: 503) : .init()
        }
        try await receiver.run { url in
            try await TestWorkspace.run(replayPause: .milliseconds(5)) { workspace async throws in
                let client = workspace.client
                try await Self.delivered(workspace, url, receiver)
                #expect(try await client.put(Self.path, #"{"enabled":false}"#).status == 200)
                #expect(try await client.post(Self.replay + "?name=A", [:]).status == 201)
                #expect(try await client.get(Self.replay).json["state"] == "running")
                #expect(try await client.put(Self.path, #"{"enabled":true}"#).status == 200)
                try await workspace.until(Self.path) { $0["delivered"] == 9 && $0["retrying"] == 0 }
            }
        }
        #expect(Set(receiver.deliveries.dropFirst(6).map(\.id)) == ["A-1", "A-2", "A-3"])
    }

    @Test(
        "A replay that cannot be meant is refused",
        arguments: [
            "?names=A": "takes no names", "?rate=0.5": "rate must be a number", "?type=trak": "no type trak",
            "?where=%3D": "", "?since=yesterday": "since", "?dryRun=yes": "dryRun is true or false",
        ])
    func refused(query: String, reason: String) async throws {
        try await TestWorkspace.run(replayPause: Self.never) { workspace async throws in
            let client = workspace.client
            let body = #"{"kind":"webhook","settings":{"url":"http://127.0.0.1:9/"}}"#
            #expect(try await client.put(Self.path, body).status == 201)
            let answer = try await client.post(Self.replay + query, [:])
            #expect(answer.status == 400)
            #expect(answer.text.contains(reason), "\(answer.text)")
            #expect(try await client.get(Self.replay).status == 404)
        }
    }

    @Test("What a replay hands over is bounded by its rate, and by what waits")
    func room() throws {
        func room(rate: Int, waiting: Int, pause: Duration = .seconds(1)) -> Int {
            Replay(
                destination: 1, query: "", rate: rate, position: 0, through: 9, administrator: "", startedAt: 0
            ).room(waiting: waiting, pause: pause)
        }
        #expect(room(rate: 0, waiting: 0) == Limits.replayWaiting)
        #expect(room(rate: 0, waiting: Limits.replayWaiting - 1) == 1)
        #expect(room(rate: 0, waiting: Limits.replayWaiting * 2) == 0)
        #expect(room(rate: 50, waiting: 0) == 50)
        #expect(room(rate: 50, waiting: 0, pause: .milliseconds(500)) == 25)
        #expect(room(rate: 1, waiting: 0, pause: .milliseconds(1)) == 1)
        #expect(room(rate: 50, waiting: Limits.replayWaiting) == 0)
    }
}
