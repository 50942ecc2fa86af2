import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Tracking plans", .timeLimit(.minutes(30))) struct PlanTests {
    static let plan = #"""
        {"events": [
            {"type": "track", "name": "Order Completed", "description": "paid", "properties": [
                {"key": "total", "type": "number", "required": true}, {"key": "coupon", "type": "string"},
                {"key": "gift", "required": true}]},
            {"type": "track", "name": "Debug", "blocked": true},
            {"type": "identify", "properties": [{"key": "plan"}]}]}
        """#

    private func put(_ client: TestClient, _ text: String = plan) async throws {
        let answer = try await client.put("/api/sources/WK/plan", text)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private func order(_ id: String, _ properties: JSON) -> JSON {
        var event = Events.track(messageId: id)
        event["properties"] = properties
        return event
    }

    @Test("The catalog shows events and properties that are unplanned, missing or of another type")
    func comparison() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch([
                order("m-1", ["total": 5, "gift": true]),
                order("m-2", ["total": "5 EUR", "gift": .null, "colour": "red"]),
                order("m-3", ["gift": false]), Events.track(messageId: "m-4", name: "Surprise"),
                ["type": "identify", "messageId": "m-5", "userId": "u", "traits": ["plan": "pro"]],
            ])
            func entry(_ name: JSON) async throws -> JSON? {
                try await client.get("/api/catalog?writeKey=WK").json["names"]?.elements?.first { $0["name"] == name }
            }
            // A source without a plan has no comparison.
            #expect(try await entry("Surprise")?["plan"] == .null)
            try await put(client)
            let order = try #require(try await entry("Order Completed")?["plan"])
            #expect(order["planned"] == true)
            #expect(order["description"] == "paid")
            #expect(
                order["deviations"] == [
                    ["problem": "missing", "key": "total", "count": 1],
                    ["problem": "type", "key": "total", "planned": "number", "count": 1],
                    ["problem": "missing", "key": "gift", "count": 1],
                    ["problem": "unplanned", "key": "colour", "count": 1],
                ])
            #expect(try await entry("Surprise")?["plan"]?["planned"] == false)
            #expect(try await entry(.null)?["plan"]?["deviations"] == [])
            let catalog = try await client.get("/api/catalog?writeKey=WK").json
            #expect(catalog["absent"] == [["type": "track", "name": "Debug", "blocked": true]])
            #expect(try await client.get("/api/catalog?writeKey=WK&name=Surprise").json["absent"] == [])
            #expect(try await client.get("/api/catalog?writeKey=WK&type=screen").json["absent"] == [])
            let quick = try await client.get("/api/catalog?writeKey=WK&properties=false").json
            #expect(quick["names"]?.elements?.first?["plan"]?["deviations"] == [])
        }
    }

    @Test("An owner and allowed values are kept, and the catalog counts events with another value")
    func values() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let plan = #"""
                {"events":[{"type":"track","name":"Order Completed","owner":"Shop team","properties":[
                    {"key":"state","type":"string","required":true,"values":["paid","open"]}]}],"unplanned":"allow"}
                """#
            try await put(client, plan)
            #expect(try await client.get("/api/sources/WK/plan").json == JSON.parse(plan))
            try await client.batch([
                order("m-1", ["state": "paid"]), order("m-2", ["state": "lost"]), order("m-3", ["state": "Paid"]),
                order("m-4", ["state": 5]),
            ])
            let entry = try await client.get("/api/catalog?writeKey=WK").json["names"]?.elements?.first?["plan"]
            #expect(entry?["owner"] == "Shop team")
            #expect(
                entry?["deviations"] == [
                    ["problem": "type", "key": "state", "planned": "string", "count": 1],
                    ["problem": "value", "key": "state", "count": 2],
                ])
        }
    }

    @Test("A planned key is not reported as missing when some keys are only counted together")
    func uncounted() throws {
        let json = try JSON.parse(#"{"type":"track","name":"E","properties":[{"key":"a","required":true}]}"#)
        let event = try TrackingPlan.Event(json, "the event")
        var properties = CountedProperties()
        #expect(PlanComparison(event, count: 2, properties: properties).deviations == [.missing(key: "a", count: 2)])
        properties.others[.string] = 1
        #expect(PlanComparison(event, count: 2, properties: properties).deviations == [])
    }

    @Test("Settings name the planned events that are blocked for destinations on the device")
    func settings() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            func rules() async throws -> JSON? {
                try await client.get("/v1/projects/WK/settings").json["plan"]?["track"]
            }
            let open: JSON = ["enabled": true, "integrations": [:]]
            let blocked: JSON = ["enabled": false, "integrations": [:]]
            #expect(try await rules() == ["__default": open])
            try await put(client)
            #expect(try await rules() == ["Debug": blocked, "__default": open])
            try await put(
                client, #"{"unplanned":"block","events":[{"type":"track","name":"A"},{"type":"page","name":"B"}]}"#)
            #expect(try await rules() == ["A": open, "__default": blocked])
            // The server stores every event.
            try await client.batch([Events.track(messageId: "m-1", name: "Other")])
            #expect(try await client.events().count == 1)
        }
    }

    @Test("The plan of one event replaces the earlier plan, and the audit log has both plans")
    func oneEvent() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await put(client)
            let event: JSON = ["type": "track", "name": "Debug", "properties": [["key": "line"]]]
            let answer = try await client.post("/api/sources/WK/plan/events", event)
            #expect(answer.status == 200, "\(answer.text)")
            let events = try answer.json["events"]?.elements
            #expect(events?.count == 3)
            #expect(events?.dropFirst().first == event)
            #expect(try await client.get("/api/sources").json["sources"]?.elements?.first?["plannedEvents"] == 3)
            let entry = try await client.get("/api/audit").json["entries"]?.elements?.first
            #expect(entry?["action"] == "tracking plan changed")
            #expect(
                entry?["details"]?["before"] == [["type": "track", "name": "Debug", "blocked": true, "properties": []]])
            #expect(entry?["details"]?["after"] == [event])
        }
    }

    @Test(
        "A plan that is not valid is refused with the place, and changes nothing",
        arguments: [
            ("[]", "is an object"), (#"{"event":[]}"#, "has no member event"), (#"{"events":{}}"#, "events is a list"),
            (#"{"events":[7]}"#, "events[0] is an object"), (#"{"events":[{"type":"x"}]}"#, "events[0].type is one of"),
            (#"{"events":[{"type":"track"}]}"#, "without a name"),
            (#"{"events":[{"type":"track","name":" "}]}"#, "without a name"), (#"{"unplanned":true}"#, "unplanned is"),
            (#"{"events":[{"type":"page","blocked":true}]}"#, "can only block track events"),
            (#"{"events":[{"type":"page"},{"type":"page"}]}"#, "events[1] is planned twice"),
            (#"{"events":[{"type":"page","properties":[{"key":""}]}]}"#, "events[0].properties[0].key"),
            (#"{"events":[{"type":"page","properties":[{"key":"a","type":"null"}]}]}"#, "type is one of"),
            (#"{"events":[{"type":"page","properties":[{"key":"a"},{"key":"a"}]}]}"#, "planned twice: a"),
            (#"{"events":[{"type":"page","properties":[{"key":"a","required":1}]}]}"#, "required is true or false"),
            (#"{"events":[{"type":"page","owner":7}]}"#, "events[0].owner is a text"),
            (
                #"{"events":[{"type":"page","properties":[{"key":"a","values":["b"]}]}]}"#,
                "only a property of the type string"
            ),
            (
                #"{"events":[{"type":"page","properties":[{"key":"a","type":"string","values":[1]}]}]}"#,
                "values[0] is a text"
            ),
            (
                #"{"events":[{"type":"page","properties":[{"key":"a","type":"string","values":["b","b"]}]}]}"#,
                "is there twice: b"
            ),
            (
                #"{"events":[{"type":"page","properties":[{"key":"a","type":"string","values":"b"}]}]}"#,
                "is a list of at most"
            ),
        ])
    func refusals(text: String, reason: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.put("/api/sources/WK/plan", text)
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains(reason) == true, "\(answer.text)")
            let plan = try await workspace.client.get("/api/sources/WK/plan").json
            #expect(plan == ["events": [], "unplanned": "allow"])
        }
    }

    @Test("The commands set a plan, draft a plan from stored events, and check events with an exit status")
    func commands() async throws {
        try await TestWorkspace.run { workspace async throws in
            let folder = try TemporaryFolder()
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["plan"] + arguments + ["--write-key", "WK", "--server", workspace.client.url])
            }
            let none = try await run("check")
            #expect(none.status == 1)
            #expect(none.errors.contains("has no tracking plan"))
            try await workspace.client.batch([order("m-1", ["total": 5]), order("m-2", ["total": 6, "tip": 1])])
            let file = folder.path + "/plan.json"
            try await run("draft").output.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await run("set", file).output == "1 event is planned\n")
            #expect(try await run("check").output == "everything is as planned\n")
            try await workspace.client.batch([
                order("m-3", ["total": "x"]), Events.track(messageId: "m-4", name: "New"),
            ])
            let check = try await run("check")
            #expect(check.status == 3)
            #expect(check.output.contains("Order Completed (track): total should be number, and 1 values are not"))
            #expect(check.output.contains("New (track): not planned, and 1 came"))
            let shown = try JSON.parse(try await run("show").output)
            #expect(
                shown["events"]?.elements?.first?["properties"]
                    == [["key": "total", "type": "number", "required": true], ["key": "tip", "type": "number"]])
        }
    }

    @Test("A blocked event is as planned when none came, and a violation when one came")
    func checkOfBlocked() async throws {
        try await TestWorkspace.run { workspace async throws in
            func check() async throws -> CommandRun.Outcome {
                try await CommandRun.finish(["plan", "check", "--write-key", "WK", "--server", workspace.client.url])
            }
            let plan = #"{"events":[{"type":"track","name":"Debug","blocked":true}]}"#
            #expect(try await workspace.client.put("/api/sources/WK/plan", plan).status == 200)
            let right = try await check()
            #expect(right.output == "everything is as planned\n")
            #expect(right.status == 0)
            try await workspace.client.batch([Events.track(messageId: "m-1", name: "Debug")])
            let wrong = try await check()
            #expect(wrong.output == "Debug (track): blocked, and 1 came\n")
            #expect(wrong.status == 3)
        }
    }
}
