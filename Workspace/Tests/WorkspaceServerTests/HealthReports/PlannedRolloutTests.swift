import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Roll-outs with a plan", .timeLimit(.minutes(30))) struct PlannedRolloutTests: RolloutSuite {
    let clock = TestClock()
    let path = "/api/sources/WK/live-plugins"

    /// Deploys a version for all devices, and then a second version with a plan.
    private func begin(_ client: TestClient, hold: Int = 0, stages: String = "10,50,100") async throws {
        #expect(try await client.put(path, "// first").status == 200)
        let plan = "stages=\(stages)&holdSeconds=\(hold)&minimumDevices=20&minimumEvents=500"
        let answer = try await client.put(path + "?" + plan, "// second").json
        #expect(answer["percentage"] == 10)
    }

    private func edge(_ client: TestClient) async throws -> JSON? {
        try await client.get("/v1/projects/WK/settings").json["edgeFunction"]
    }

    @Test("A good version advances from stage to stage until all devices have the version")
    func good() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = ReportingDevices(client: client)
            try await begin(client)
            for percentage in [10, 50] {
                try await until(client) { $0["percentage"]?.intValue == percentage }
                try await devices.report(20, version: 2)
            }
            try await until(client) { $0["percentage"] == 100 }
            #expect(try await edge(client)?["version"] == 2)
            #expect(try await edge(client)?["staged"] == nil)
            // In the last stage no device has the version before.
            try await devices.report(20, version: 2, before: nil)
            let end = try await until(client) { $0["state"] == "finished" }
            #expect(end["reason"] == "it is no worse than the plan allows")
            #expect(
                try await actions(client) == [
                    "roll-out finished", "live plugins given to more devices", "live plugins given to more devices",
                ])
        }
    }

    @Test("A stage lasts as long as the plan says")
    func hold() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = ReportingDevices(client: client)
            try await begin(client, hold: 300)
            try await devices.report(20, version: 2)
            for minute in 1...4 {
                clock.advance(by: 60_000)
                try await until(client) { $0["heldSeconds"]?.intValue == minute * 60 }
                #expect(try await rollout(client)["percentage"] == 10)
            }
            clock.advance(by: 60_000)
            try await until(client) { $0["percentage"] == 50 }
        }
    }

    @Test(
        "A version that throws, drops or is slow is rolled back at the first stage, and operators get a message",
        arguments: [
            (ReportingDevices.Behaviour(faulty: 5), "5.0 % of the events have a fault"),
            (ReportingDevices.Behaviour(dropped: 40), "40.0 % of the events are dropped, before it 2.0 %"),
            (ReportingDevices.Behaviour(dropped: 2, microseconds: 9000), "an event takes 9.0 ms, before it 0.3 ms"),
        ])
    func worse(behaviour: ReportingDevices.Behaviour, reason: String) async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await run(noticeURL: url + "/chat") { workspace async throws in
                let client = workspace.client
                var devices = ReportingDevices(client: client)
                try await begin(client, hold: 86_400)
                try await devices.report(20, version: 2, behaviour)
                let end = try await until(client) { $0["state"] == "rolledBack" }
                #expect(end["percentage"] == 10)
                #expect(end["reason"]?.stringValue?.hasPrefix(reason) == true)
                // The third version has the content of the first version, for all devices.
                #expect(try await edge(client)?["version"] == 3)
                #expect(try await edge(client)?["staged"] == nil)
                #expect(try await client.get("/v1/projects/WK/live-plugins/3.js").text == "// first")
                #expect(try await actions(client) == ["live plugins rolled back"])
                let metrics = try await client.get(
                    "/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"]
                ).text
                #expect(metrics.contains("tributary_rollbacks_total{source=\"WK\"} 1\n"))
                let message = try #require(await receiver.accepts(1).first)
                #expect(message.path == "/chat")
                #expect(
                    message.event["text"]?.stringValue?.hasPrefix(
                        "live plugins version 2 of WK was rolled back: \(reason)") == true)
            }
        }
    }

    @Test("Lies of a fifth of the devices hold a version up, but cannot roll the version back")
    func liars() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await run(noticeURL: url + "/chat") { workspace async throws in
                let client = workspace.client
                var devices = ReportingDevices(client: client)
                try await begin(client)
                // The liars report before the honest devices, so that the version never looks good.
                for liar in 0..<5 { try await sendLie(client, "liar-\(liar)") }
                try await devices.report(20, version: 2)
                for _ in 0..<3 {
                    let looked = try await rollout(client)
                    #expect(looked["state"] == "running")
                    #expect(looked["percentage"] == 10)
                    try await devices.report(20, version: 2)
                    clock.advance(by: 60_000)
                    try await until(client) { $0["heldSeconds"] != looked["heldSeconds"] }
                }
                #expect(try await rollout(client)["reason"]?.stringValue?.contains("an operator has to look") == true)
                let message = try #require(await receiver.accepts(1).first)
                #expect(message.event["text"]?.stringValue?.contains("is held up") == true)
                #expect(receiver.deliveries.count == 1)
                // An operator moves the roll-out on.
                #expect(try await client.post(path + "/rollout/advance", [:]).status == 200)
                #expect(try await rollout(client)["percentage"] == 50)
            }
        }
    }

    private func sendLie(_ client: TestClient, _ instance: String) async throws {
        let lie: JSON = [
            "writeKey": "WK", "instanceId": .string(instance), "number": 1,
            "versions": [["version": "2", "events": 1_000_000, "faulty": 1_000_000, "dropped": 1_000_000]],
        ]
        #expect(try await client.post("/v1/health-reports", lie).status == 200)
    }

    @Test("A restart keeps the plan, the stage and the reports")
    func restart() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder) { workspace async throws in
            let client = workspace.client
            var devices = ReportingDevices(client: client)
            try await begin(client, hold: 120)
            try await devices.report(19, version: 2)
            clock.advance(by: 60_000)
            try await until(client) { $0["heldSeconds"] == 60 }
        }
        try await run(in: folder) { workspace async throws in
            let client = workspace.client
            #expect(try await rollout(client)["heldSeconds"]?.intValue ?? 0 >= 60)
            clock.advance(by: 60_000)
            try await until(client) { $0["heldSeconds"] == 120 }
            #expect(try await rollout(client)["reason"] == "19 of at least 20 devices have reported")
            let devices = ReportingDevices(client: client)
            // A report that was counted before the restart is recognised.
            var again = devices
            try await again.report(19, version: 2)
            #expect(try await rollout(client)["percentage"] == 10)
            for instance in ["new-20", "new-21"] { try await again.send(instance, 2, .init()) }
            try await again.send("old-20", 1, .init())
            try await until(client) { $0["percentage"] == 50 }
        }
    }

    @Test("A roll-out can be paused, resumed, moved on and ended by hand")
    func byHand() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = ReportingDevices(client: client)
            for action in ["pause", "resume", "advance"] {
                #expect(try await client.post("\(path)/rollout/\(action)", [:]).status == 409)
            }
            try await begin(client)
            #expect(try await client.post(path + "/rollout/pause", [:]).status == 200)
            #expect(try await client.post(path + "/rollout/pause", [:]).status == 409)
            // The version is worse, but the roll-out is paused and keeps its stage.
            try await devices.report(20, version: 2, .init(faulty: 50))
            #expect(try await rollout(client)["state"] == "paused")
            #expect(try await client.post(path + "/widen", ["percentage": 50]).status == 409)
            #expect(try await client.put(path + "?stages=1,100", "// other").status == 409)
            #expect(try await client.post(path + "/rollout/advance", [:]).json["rollout"]?["percentage"] == 50)
            // The reports of the first stage say nothing about the second one.
            #expect(try await client.post(path + "/rollout/resume", [:]).status == 200)
            try await until(client) { $0["reason"] == "0 of at least 20 devices have reported" }
            #expect(try await client.post(path + "/rollback", [:]).json["version"] == 3)
            let ended = try await rollout(client)
            #expect(ended["state"] == "ended")
            #expect(ended["reason"] == "an operator went back to version 1")
            #expect(try await client.post(path + "/rollout/resume", [:]).status == 409)
        }
    }

    @Test("A worse first version is switched off, and a deployment for all ends a roll-out")
    func firstVersion() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = ReportingDevices(client: client)
            #expect(try await client.put(path + "?stages=20,100&holdSeconds=60", "// first").status == 200)
            try await devices.report(20, version: 1, .init(faulty: 30), before: nil)
            try await until(client) { $0["state"] == "rolledBack" }
            #expect(try await edge(client)?["downloadURL"] == "")
            #expect(try await client.put(path + "?stages=20,100&holdSeconds=60", "// third").status == 200)
            #expect(try await client.put(path, "// fourth").status == 200)
            let ended = try await rollout(client)
            #expect(ended["version"] == 3)
            #expect(ended["reason"] == "an operator deployed version 4")
        }
    }

    @Test("Each of two concurrent roll-outs is decided by its own reports")
    func two() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            _ = try await client.put("/api/sources/OTHER", "")
            let other = "/api/sources/OTHER/live-plugins"
            _ = try await client.put(other, "// one")
            _ = try await client.put(other + "?stages=10,100&holdSeconds=0", "// two")
            var devices = ReportingDevices(client: client)
            try await begin(client, hold: 86_400)
            try await devices.report(20, version: 2, .init(faulty: 50))
            try await until(client) { $0["state"] == "rolledBack" }
            let untouched = try await client.get(other + "/rollout").json["rollout"]
            #expect(untouched?["state"] == "running")
            #expect(untouched?["reason"] == "0 of at least 20 devices have reported")
        }
    }

    @Test(
        "A plan that cannot be carried out is refused, and nothing is deployed",
        arguments: [
            "stages=10,50", "stages=50,10,100", "stages=x", "stages=10,100&holdSeconds=x", "holdSeconds=60",
            "stages=10,100&maximumFaultRate=2", "stages=10,100&minimumDevices=1", "stages=10,100&percentage=10",
            "stages=10,100&maximumTimeChange=-1", "stages=10,100&minimumEvents=0",
        ])
    func badPlan(query: String) async throws {
        try await run { workspace async throws in
            #expect(try await workspace.client.put(path + "?" + query, "// first").status == 400)
            #expect(try await workspace.client.get(path).json["versions"] == [])
        }
    }

    @Test("A workspace does not start with an invalid address for messages")
    func noticeURL() async throws {
        await #expect(throws: WorkspaceError.self) { try await run(noticeURL: "chat.example.com") { _ in } }
    }
}
