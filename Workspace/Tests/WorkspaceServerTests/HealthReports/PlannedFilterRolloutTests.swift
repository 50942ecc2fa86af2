import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Roll-outs of filters with a plan", .timeLimit(.minutes(30))) struct PlannedFilterRolloutTests: RolloutSuite {
    let clock = TestClock()
    let path = "/api/sources/WK/filters"
    private let pluginsPath = "/api/sources/WK/live-plugins"

    private static func rules(_ name: String) -> JSON {
        .array(
            ["Segment.io", "Partner"].map { destination in
                [
                    "name": .string(name), "destinationName": .string(destination),
                    "matchers": [["type": "fql", "ir": "[\"=\",\"event\",{\"value\":\"Test\"}]"]],
                    "transformers": [[["type": "drop"]]],
                ]
            })
    }

    /// Deploys rules for all devices, and then other rules with a plan.
    private func begin(_ client: TestClient, hold: Int = 0, stages: String = "10,50,100") async throws {
        #expect(try await client.put(path, Self.rules("first").description).status == 200)
        let plan = "stages=\(stages)&holdSeconds=\(hold)&minimumDevices=20&minimumEvents=500"
        #expect(try await client.put("\(path)?\(plan)", Self.rules("second").description).status == 200)
    }

    private func served(_ client: TestClient, _ query: String = "") async throws -> JSON? {
        try await client.get("/v1/projects/WK/settings" + query).json["middlewareSettings"]
    }

    @Test("Good rules advance from stage to stage until all devices have the rules")
    func good() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = FilteringDevices(client: client)
            #expect(try await served(client) == ["routingRules": []])
            try await begin(client)
            let staged = try await served(client)
            #expect(staged?["routingRules"] == Self.rules("first"))
            #expect(staged?["version"] == 1)
            #expect(
                staged?["staged"] == ["routingRules": Self.rules("second"), "version": 2, "percentage": 10])
            #expect(try await client.get(path).json == Self.rules("first"))
            #expect(try await client.get(path + "?version=2").json == Self.rules("second"))
            #expect(try await client.get("/v1/projects/WK/settings").json["settingsInterval"] == 60)
            for percentage in [10, 50] {
                try await until(client) { $0["percentage"]?.intValue == percentage }
                try await devices.report(20, version: 2)
            }
            try await until(client) { $0["percentage"] == 100 }
            #expect(try await served(client) == ["routingRules": Self.rules("second"), "version": 2])
            try await devices.report(20, version: 2, before: nil)
            let end = try await until(client) { $0["state"] == "finished" }
            #expect(end["kind"] == "filters")
            #expect(
                try await actions(client) == [
                    "roll-out finished", "filters given to more devices", "filters given to more devices",
                ])
            // Live plugins had no roll-out.
            #expect(try await client.get(pluginsPath + "/rollout").json["rollout"] == .null)
        }
    }

    @Test("The workspace and a device choose the same devices, and a request of a device gets the rules of the device")
    func shares() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await begin(client, stages: "40,100")
            for number in 0..<30 {
                let isChosen = Rollout.has("d-\(number)", of: .filters, version: 2, percentage: 40)
                let answer = try await served(client, "?device=d-\(number)")
                #expect(answer?["version"] == (isChosen ? 2 : 1))
                #expect(answer?["staged"] == nil)
            }
        }
    }

    @Test("Staged filters and a staged bundle of the same version go to different devices")
    func independent() {
        let devices = (0..<4000).map { "device-\($0)" }
        let bundle = devices.filter { Rollout.has($0, of: .livePlugins, version: 2, percentage: 50) }
        let both = bundle.count { Rollout.has($0, of: .filters, version: 2, percentage: 50) }
        #expect((900...1100).contains(both))
        // Clients compute the same devices; the result must never change.
        let chosen = (0..<20).filter { Rollout.has("device-\($0)", of: .filters, version: 7, percentage: 30) }
        #expect(chosen == FilteringDevices.golden)
    }

    @Test(
        "Rules that drop too much, fail or cannot be read are rolled back, and operators get a message",
        arguments: [
            (FilteringDevices.Behaviour(dropped: 40), "40.0 % of the events are dropped, before it 2.0 %"),
            (.init(droppedForPartner: 5), "5.0 % of the events for Partner are dropped, before it 2.0 %"),
            (.init(dropped: 0, droppedForPartner: 5), "5.0 % of the events for Partner are dropped"),
            (.init(faulty: 5), "5.0 % of the events have a fault"),
            (.init(problems: 1), "the version does not run on 100.0 % of the devices, before it 0.0 %"),
        ])
    func worse(behaviour: FilteringDevices.Behaviour, reason: String) async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await run(noticeURL: url + "/chat") { workspace async throws in
                let client = workspace.client
                var devices = FilteringDevices(client: client)
                try await begin(client, hold: 86_400)
                try await devices.report(20, version: 2, behaviour)
                let end = try await until(client) { $0["state"] == "rolledBack" }
                #expect(end["percentage"] == 10)
                #expect(end["reason"]?.stringValue?.contains(reason) == true, "\(end)")
                #expect(try await served(client) == ["routingRules": Self.rules("first"), "version": 3])
                #expect(try await actions(client) == ["filters rolled back"])
                let message = try #require(await receiver.accepts(1).first)
                #expect(
                    message.event["text"]?.stringValue?.hasPrefix("filters version 2 of WK was rolled back: ") == true)
                #expect(message.event["kind"] == "filters")
            }
        }
    }

    @Test("The first rules of a source are compared with no rules")
    func firstRules() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = FilteringDevices(client: client)
            let plan = "?stages=20,100&holdSeconds=60&minimumEvents=500"
            #expect(try await client.put(path + plan, Self.rules("first").description).status == 200)
            #expect(try await served(client)?["version"] == 0)
            #expect(try await served(client)?["routingRules"] == [])
            try await devices.report(20, version: 1, .init(dropped: 30), before: 0)
            try await until(client) { $0["state"] == "rolledBack" }
            #expect(try await served(client) == ["routingRules": [], "version": 2])
        }
    }

    @Test("A roll-out of filters is paused, resumed, moved on and ended by hand")
    func byHand() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            for action in ["pause", "resume", "advance"] {
                #expect(try await client.post("\(path)/rollout/\(action)", [:]).status == 409)
            }
            #expect(try await client.post(path + "/rollback", [:]).status == 404)
            try await begin(client)
            #expect(try await client.post(path + "/rollout/pause", [:]).json["rollout"]?["state"] == "paused")
            #expect(try await client.put(path + "?stages=1,100", Self.rules("other").description).status == 409)
            #expect(try await client.post(path + "/rollout/advance", [:]).json["rollout"]?["percentage"] == 50)
            #expect(try await client.post(path + "/rollout/resume", [:]).status == 200)
            let back = try await client.post(path + "/rollback", [:]).json
            #expect(back["version"] == 3)
            #expect(back["contentOf"] == 1)
            #expect(try await rollout(client)["reason"] == "an operator went back to version 1")
            #expect(try await client.post(path + "/rollback", ["version": 0]).json["rules"] == 0)
            #expect(try await client.get(path).json == [])
            let versions = try await client.get(path + "/versions").json
            #expect(versions["versions"]?.elements?.compactMap { $0["rules"]?.intValue } == [0, 2, 2, 2])
            // Rules for all end a roll-out.
            #expect(try await client.put(path + "?stages=1,100", Self.rules("fifth").description).status == 200)
            #expect(try await client.put(path, Self.rules("sixth").description).status == 200)
            #expect(try await rollout(client)["reason"] == "an operator deployed version 6")
        }
    }

    // MARK: Two roll-outs at once

    @Test("Devices with a staged bundle do not count for filters, and their bundle is still judged")
    func stagedBundle() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = FilteringDevices(client: client)
            #expect(try await client.put(pluginsPath, "// first").status == 200)
            try await begin(client, hold: 3600)
            let plan = "?stages=10,100&holdSeconds=3600&minimumEvents=500&maximumDropChange=1"
            #expect(try await client.put(pluginsPath + plan, "// second").status == 200)
            // With the staged bundle the rules drop nearly everything, whichever rules they are.
            try await devices.report(30, version: 2, .init(dropped: 95), bundle: 2)
            for _ in 0..<2 {
                // The test reads the held time before the clock moves, because a look may come at once.
                let looked = try await rollout(client)
                clock.advance(by: 60_000)
                try await until(client) { $0["heldSeconds"] != looked["heldSeconds"] }
            }
            #expect(try await rollout(client)["reason"] == "0 of at least 20 devices have reported")
            try await devices.report(20, version: 2, bundle: 1)
            try await until(client) { $0["reason"]?.stringValue?.contains("min longer") == true }
            #expect(try await rollout(client)["state"] == "running")
            let plugins = try await client.get(pluginsPath + "/rollout").json["rollout"]
            #expect(plugins?["state"] == "running")
            #expect(plugins?["reason"]?.stringValue?.contains("devices have reported") == false)
        }
    }

    @Test("When all devices get another bundle, the stage of the filters begins again")
    func otherBundle() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            var devices = FilteringDevices(client: client)
            #expect(try await client.put(pluginsPath, "// first").status == 200)
            try await begin(client, hold: 3600)
            try await devices.report(20, version: 2, bundle: 1)
            clock.advance(by: 60_000)
            try await until(client) { $0["heldSeconds"] == 60 }
            #expect(try await client.put(pluginsPath, "// second").status == 200)
            try await until(client) {
                $0["heldSeconds"] == 0 && $0["reason"] == "0 of at least 20 devices have reported"
            }
            // Reports of devices with the old bundle do not count.
            try await devices.report(20, version: 2, .init(dropped: 90), bundle: 1)
            clock.advance(by: 60_000)
            try await until(client) { $0["heldSeconds"] == 60 }
            #expect(try await rollout(client)["reason"] == "0 of at least 20 devices have reported")
            // In the last stage no device has the earlier rules any more, so only faults decide.
            for _ in 0..<2 { #expect(try await client.post(path + "/rollout/advance", [:]).status == 200) }
            #expect(try await client.put(pluginsPath, "// third").status == 200)
            try await devices.report(20, version: 2, before: nil, bundle: 3)
            clock.advance(by: 60_000)
            try await until(client) { $0["reason"]?.stringValue?.contains("min longer") == true }
        }
    }

    @Test("A restart keeps the reports about filters by destination")
    func restart() async throws {
        let folder = try TemporaryFolder()
        try await run(in: folder) { workspace async throws in
            var devices = FilteringDevices(client: workspace.client)
            try await begin(workspace.client, hold: 86_400)
            try await devices.report(19, version: 2, .init(droppedForPartner: 30))
        }
        try await run(in: folder) { workspace async throws in
            let client = workspace.client
            try await until(client) { $0["reason"] == "19 of at least 20 devices have reported" }
            var more = FilteringDevices(client: client, name: "more")
            try await more.report(2, version: 2, .init(droppedForPartner: 30))
            let end = try await until(client) { $0["state"] == "rolledBack" }
            #expect(end["reason"]?.stringValue?.contains("% of the events") == true)
        }
    }

    // MARK: Reports

    @Test("Reports about filters are added up by version and destination, and invented names are left out")
    func health() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            #expect(try await client.put(path, Self.rules("first").description).status == 200)
            let report: JSON = [
                "writeKey": "WK", "instanceId": "i", "number": 1,
                "filters": [
                    [
                        "version": "1",
                        "fault": [
                            "message": "rule 0 could not do all its work", "destination": "Partner", "event": "A",
                        ],
                        "destinations": [
                            ["key": "Partner", "events": 60, "changed": 3, "dropped": 6, "faulty": 1],
                            ["key": "Invented", "events": 10, "dropped": 99],
                        ],
                    ],
                    ["version": "77", "problems": 5, "destinations": [["key": "Partner", "events": 1]]],
                ],
            ]
            #expect(try await client.post("/v1/health-reports", report).status == 200)
            let health = try await client.get("/api/live-plugins/health?writeKey=WK").json
            #expect(health["versions"] == [])
            let versions = health["filters"]?.elements ?? []
            #expect(versions.compactMap { $0["version"]?.stringValue } == ["1", "other"])
            #expect(versions.first?["percentage"] == 100)
            #expect(versions.first?["dropped"] == 16)
            #expect(
                versions.first?["destinations"] == [
                    ["name": "", "dropped": 10, "events": 10],
                    ["name": "Partner", "changed": 3, "dropped": 6, "events": 60, "faulty": 1],
                ])
            #expect(versions.first?["faults"]?[0]?["destination"] == "Partner")
            #expect(versions.first?["faults"]?[0]?["reports"] == 1)
            let metrics = try await client.get("/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"])
                .text
            #expect(metrics.contains("tributary_filter_dropped_events_total{source=\"WK\",version=\"1\"} 16\n"))
            #expect(metrics.contains("tributary_filter_events_total{source=\"WK\",version=\"other\"} 1\n"))
        }
    }

    @Test(
        "Invalid reports about filters are refused",
        arguments: [
            ["filters": 7], ["filters": [["version": 7]]], ["filters": [["version": "1", "destinations": [[:]]]]],
            ["filters": .array(Array(repeating: ["version": "1"], count: 9))],
        ] as [JSON])
    func nonsense(filters: JSON) async throws {
        try await run { workspace async throws in
            var report: JSON = ["writeKey": "WK", "instanceId": "i", "number": 1]
            report["filters"] = filters["filters"]
            #expect(try await workspace.client.post("/v1/health-reports", report).status == 400)
        }
    }

    @Test(
        "A plan of filters that cannot be carried out is refused, and nothing is deployed",
        arguments: ["stages=10,50", "holdSeconds=60", "stages=10,100&maximumTimeChange=1", "percentage=10"])
    func badPlan(query: String) async throws {
        try await run { workspace async throws in
            #expect(try await workspace.client.put("\(path)?\(query)", Self.rules("first").description).status == 400)
            #expect(try await workspace.client.get(path + "/versions").json["versions"] == [])
        }
    }
}
