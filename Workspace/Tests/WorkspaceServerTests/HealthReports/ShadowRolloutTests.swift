import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Roll-outs that begin with a shadow", .timeLimit(.minutes(30))) struct ShadowRolloutTests: RolloutSuite {
    let clock = TestClock()
    let path = "/api/sources/WK/live-plugins"

    private static let plan = "stages=10,100&holdSeconds=0&minimumDevices=20&minimumEvents=500&shadow=30"

    private func begin(_ client: TestClient, _ more: String = "") async throws {
        #expect(try await client.put(path, "// first").status == 200)
        let answer = try await client.put("\(path)?\(Self.plan)\(more)", "class Fix {} // second")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.json["percentage"] == 0)
    }

    private func edge(_ client: TestClient, _ query: String = "") async throws -> JSON? {
        try await client.get("/v1/projects/WK/settings" + query).json["edgeFunction"]
    }

    /// Each device reports a hundred events that it compared, and those of the present version.
    private func report(
        _ client: TestClient, number: Int, devices: Int = 20, differences: [JSON] = [], status: Int = 200
    ) async throws {
        for device in 0..<devices {
            let report: JSON = [
                "writeKey": "WK", "instanceId": .string("d-\(device)"), "number": .number(number),
                "versions": [["version": "1", "events": 100, "microseconds": 30_000]],
                "shadows": [
                    [
                        "version": "2", "events": 100, "microseconds": 30_000, "differences": .array(differences),
                        "plugins": [["name": "Fix", "seen": 100]],
                    ]
                ],
            ]
            #expect(try await client.post("/v1/health-reports", report).status == status)
        }
    }

    @Test("Devices get the shadow beside the version for all, and the first stage begins when nothing differs")
    func same() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await begin(client)
            for query in ["", "?device=d-1"] {
                let edge = try await edge(client, query)
                #expect(edge?["version"] == 1 && edge?["staged"] == nil)
                #expect(edge?["shadow"]?["version"] == 2 && edge?["shadow"]?["percentage"] == 30)
                #expect(edge?["shadow"]?["downloadURL"]?.stringValue?.hasSuffix("/live-plugins/2.js") == true)
                #expect(edge?["shadow"]?["sha256"] != nil && edge?["shadow"]?["log"] != nil)
            }
            #expect(try await rollout(client)["isShadow"] == true)
            try await report(client, number: 1)
            let next = try await until(client) { $0["isShadow"] == false }
            #expect(next["percentage"] == 10 && next["stage"] == 1)
            let edge = try await edge(client)
            #expect(edge?["shadow"] == nil && edge?["staged"]?["percentage"] == 10)
            // Reports about the shadow say nothing about the stage.
            try await report(client, number: 2)
            #expect(try await rollout(client)["reason"]?.stringValue?.hasPrefix("0 of at least 20 devices") == true)
        }
    }

    @Test("A difference that was not announced holds it up, operators get a message, and announcing it lets it go on")
    func differs() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await run(noticeURL: url + "/chat") { workspace async throws in
                let client = workspace.client
                try await begin(client, "&announce=dropped:Debug")
                try await report(
                    client, number: 1,
                    differences: [
                        ["kind": "changed", "event": "Checkout", "field": "properties.total", "count": 3],
                        ["kind": "dropped", "event": "Debug", "count": 5],
                    ])
                let held = try await until(client) { $0["reason"]?.stringValue?.contains("not announced") == true }
                #expect(held["reason"]?.stringValue?.contains("changed:Checkout:properties.total") == true)
                #expect(held["announced"] == ["dropped:Debug"])
                let message = try #require(await receiver.accepts(1).first)
                #expect(message.event["text"]?.stringValue?.contains("is held up") == true)
                let shadow = try await client.get("/api/live-plugins/health?writeKey=WK").json["shadows"]?[0]
                #expect(shadow?["version"] == "2" && shadow?["events"] == 2000)
                #expect(
                    shadow?["differences"] == [
                        ["difference": "dropped:Debug", "events": 100, "isAnnounced": true],
                        ["difference": "changed:Checkout:properties.total", "events": 60, "isAnnounced": false],
                    ])
                let announced: JSON = ["announced": ["dropped:Debug", "changed:Checkout:*"]]
                let answer = try await client.put("\(path)/rollout/announced", announced.description)
                #expect(answer.status == 200, "\(answer.text)")
                try await until(client) { $0["isShadow"] == false }
                let audit = try await client.get("/api/audit").json["entries"]?.elements ?? []
                #expect(
                    audit.first { $0["action"] == "differences announced" }?["details"]?["announced"]
                        == ["dropped:Debug", "changed:Checkout:*"])
            }
        }
    }

    @Test("An operator pauses a shadow, resumes it, begins the first stage by hand, or takes the version back")
    func byHand() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await begin(client)
            #expect(try await client.post("\(path)/rollout/pause", [:]).status == 200)
            try await report(client, number: 1)
            #expect(try await rollout(client)["isShadow"] == true)
            #expect(try await edge(client)?["shadow"]?["version"] == 2)
            #expect(try await client.post("\(path)/rollout/resume", [:]).status == 200)
            try await until(client) { $0["isShadow"] == false }
            #expect(try await client.post("\(path)/rollback", ["version": 1]).status == 200)
            let refused = try await client.put("\(path)/rollout/announced", #"{"announced": []}"#)
            #expect(refused.status == 409)
            try await self.begin(client)
            let advanced = try await client.post("\(path)/rollout/advance", [:]).json["rollout"]
            #expect(advanced?["isShadow"] == false && advanced?["percentage"] == 10)
            #expect(try await client.post("\(path)/rollback", ["version": 1]).status == 200)
            try await self.begin(client)
            #expect(try await client.post("\(path)/rollback", ["version": 1]).status == 200)
            #expect(try await edge(client)?["shadow"] == nil)
        }
    }

    @Test("A stop of the version ends the shadow on devices")
    func stop() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await begin(client)
            let body: JSON = ["kind": "livePlugins", "version": 2]
            let stopped = try await client.post("/api/sources/WK/stops", body)
            #expect((200...201).contains(stopped.status), "\(stopped.text)")
            let edge = try await edge(client)
            #expect(edge?["version"] == 1 && edge?["shadow"] == nil)
        }
    }

    @Test("What cannot be a shadow is refused with the reason")
    func refused() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            let first = try await client.put("\(path)?\(Self.plan)", "// first")
            #expect(first.status == 409 && first.text.contains("has none"))
            #expect(try await client.put(path, "// first").status == 200)
            for (query, words) in [
                ("shadow=10", "needs the stages"), ("stages=10,100&shadow=0", "from 1 to 100"),
                ("stages=10,100&shadow=101", "from 1 to 100"), ("stages=10,100&shadow=x", "must be a number"),
                ("stages=10,100&announce=dropped:A", "needs shadow"),
                ("\(Self.plan)&announce=nonsense", "announces no difference"),
            ] {
                let answer = try await client.put("\(path)?\(query)", "// second")
                #expect(answer.status == 400 && answer.text.contains(words), "\(query): \(answer.text)")
            }
            let filters = try await client.put("/api/sources/WK/filters?\(Self.plan)", "[]")
            #expect(filters.status == 400 && filters.text.contains("shadow"))
            for body in ["{}", #"{"announced": [1]}"#, #"{"announced": ["x"]}"#] {
                #expect(try await client.put("\(path)/rollout/announced", body).status == 400)
            }
            #expect(try await client.put("\(path)/rollout/announced", #"{"announced": []}"#).status == 409)
        }
    }

    @Test("Reports about shadows that cannot be are refused, and invented ones count nothing")
    func hostile() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await begin(client)
            for difference in [
                ["kind": "renamed", "event": "A", "count": 1], ["kind": "changed", "event": 7, "count": 1],
                ["kind": "changed", "event": "A", "field": .string(String(repeating: "x", count: 100)), "count": 1],
            ] as [JSON] {
                try await report(client, number: 1, devices: 1, differences: [difference], status: 400)
            }
            let many = (0...40).map { ["kind": "made", "event": .string("E\($0)"), "count": 1] as JSON }
            try await report(client, number: 1, devices: 1, differences: many, status: 400)
            let invented: JSON = [
                "writeKey": "WK", "instanceId": "x", "number": 1,
                "shadows": [
                    ["version": "77", "events": 5, "differences": [["kind": "made", "event": "A", "count": 1]]]
                ],
            ]
            #expect(try await client.post("/v1/health-reports", invented).status == 200)
            #expect(try await client.get("/api/live-plugins/health?writeKey=WK").json["shadows"] == [])
            let negative: JSON = ["kind": "made", "event": "A", "count": -5]
            try await report(client, number: 2, devices: 1, differences: [negative])
            let shadow = try await client.get("/api/live-plugins/health?writeKey=WK").json["shadows"]?[0]
            #expect(shadow?["differences"] == [])
        }
    }
}
