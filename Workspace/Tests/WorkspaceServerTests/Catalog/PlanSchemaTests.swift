import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Tracking plans from JSON Schema", .timeLimit(.minutes(30))) struct PlanSchemaTests {
    static let schema = #"""
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Order Completed", "description": "Paid.",
         "x-owner": "Shop", "type": "object", "required": ["total", "state", "hidden"], "additionalProperties": false,
         "properties": {
            "total": {"type": "integer", "minimum": 0, "description": "In euros."},
            "state": {"enum": ["paid", "open"]}, "note": {"type": ["string", "null"]},
            "kind": {"type": "string", "const": "shop"}, "code": {"enum": [1, "a"]},
            "address": {"type": "object", "properties": {"city": {"type": "string"}}}, "any": true}}
        """#

    private func events(_ text: String) throws -> JSON {
        .array(try PlanSchema(try JSON.parse(text)).events.map(\.json))
    }

    @Test("A schema becomes an event with types, required properties, allowed texts and an owner")
    func event() throws {
        let schema = try PlanSchema(try JSON.parse(Self.schema))
        #expect(
            schema.events.map(\.json) == [
                [
                    "type": "track", "name": "Order Completed", "description": "Paid.", "owner": "Shop",
                    "properties": [
                        ["key": "total", "type": "number", "required": true, "description": "In euros."],
                        ["key": "state", "type": "string", "required": true, "values": ["paid", "open"]],
                        ["key": "note", "type": "string"], ["key": "kind", "type": "string", "values": ["shop"]],
                        ["key": "code"], ["key": "address", "type": "object"], ["key": "any"],
                        ["key": "hidden", "required": true],
                    ],
                ]
            ])
        #expect(
            schema.ignored == [
                "#/properties/total/minimum", "#/properties/code/enum", "#/properties/address/properties",
            ])
    }

    @Test("A list, definitions, a plan with rules and the schema of a whole message describe events, too")
    func documents() throws {
        let two: JSON = [
            ["type": "track", "name": "A", "properties": []], ["type": "track", "name": "B", "properties": []],
        ]
        #expect(try events(#"[{"title":"A"},{"title":"B"}]"#) == two)
        #expect(try events(#"{"$defs":{"A":{},"x":{"title":"B"}}}"#) == two)
        #expect(try events(#"{"events":[{"name":"A","rules":{}},{"name":"B","schema":{}}]}"#) == two)
        let message = #"""
            {"rules": {"events": [{"name": "A", "rules": {"properties": {
                "context": {"type": "object"}, "traits": {"type": "object"},
                "properties": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}}}}],
              "identify": {"properties": {"traits": {"type": "object", "properties": {"mail": {"type": "string"}}}}},
              "group": {}}}
            """#
        #expect(
            try events(message) == [
                ["type": "track", "name": "A", "properties": [["key": "a", "type": "string", "required": true]]],
                ["type": "identify", "properties": [["key": "mail", "type": "string"]]],
            ])
        let page = #"{"properties":{"type":{"const":"page"},"name":{"const":"Home"},"properties":{"type":"object"}}}"#
        #expect(try events(page) == [["type": "page", "name": "Home", "properties": []]])
        // A property that is called like a member of a message is one of the event's own.
        let own = #"{"title":"A","properties":{"properties":{"type":"object"},"colour":{}}}"#
        #expect(try events(own).elements?.first?["properties"]?.elements?.count == 2)
    }

    @Test(
        "A refusal names the place in the document",
        arguments: [
            ("5", "#: a schema is an object"), ("[]", "#: the document describes no event"),
            ("{}", "#/title: a track event"),
            (#"[{"title":"A"},7]"#, "#/1 is an object"), (#"{"title":"A","type":"string"}"#, "#/type: an event is"),
            (#"{"title":"A","properties":[]}"#, "#/properties is an object"),
            (#"{"title":"A","properties":{"a/b":{"type":"date"}}}"#, "#/properties/a~1b/type: there is no type date"),
            (
                #"{"title":"A","properties":{"a":{"type":"null"}}}"#,
                "#/properties/a/type: a property that is only ever null"
            ),
            (##"{"title":"A","properties":{"a":{"$ref":"#/x"}}}"##, "#/properties/a/$ref: references are not followed"),
            (#"{"title":"A","required":[1]}"#, "#/required/0 is a text"),
            (#"{"title":"A","required":{}}"#, "#/required is a list"),
            (#"[{"title":"A"},{"title":"A"}]"#, "#/1 describes an event for the second time"),
            (#"{"events":{}}"#, "#/events is a list"), (#"{"events":[{"rules":{}}]}"#, "#/events/0/rules/title"),
            (
                #"{"properties":{"type":{"const":"x"},"properties":{"type":"object"}}}"#,
                "#/properties/type: there is no event"
            ),
            (#"{"title":"A","properties":{"":{}}}"#, "key is a text of 1 to"),
            (#"{"$defs":{"a~":{"$ref":"x"}}}"#, "#/$defs/a~0/$ref"),
        ])
    func refused(text: String, reason: String) throws {
        let json = try JSON.parse(text)
        do throws(Refusal) {
            _ = try PlanSchema(json)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    @Test("An import says what it would do, does it, and keeps the other planned events")
    func imports() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let path = "/api/sources/WK/plan"
            #expect(try await client.put(path, PlanTests.plan).status == 200)
            let before = try await client.get(path).json
            let schema = try JSON.parse(Self.schema)
            let trial = try await client.post(path + "/import?dryRun=true", [schema, ["title": "New"]])
            #expect(trial.status == 200, "\(trial.text)")
            #expect(try trial.json["stored"] == false)
            #expect(try trial.json["added"]?.elements?.map { $0["name"] } == ["New"])
            #expect(try trial.json["changed"]?.elements?.first?["before"]?["description"] == "paid")
            #expect(try trial.json["changed"]?.elements?.first?["after"]?["description"] == "Paid.")
            #expect(try await client.get(path).json == before)
            let done = try await client.post(path + "/import", [schema, ["title": "New"]])
            #expect(try done.json["stored"] == true)
            #expect(try done.json["plan"] == trial.json["plan"])
            #expect(try await client.get(path).json == done.json["plan"])
            let events = try await client.get(path).json["events"]?.elements?.map { $0["name"] }
            #expect(events == ["Order Completed", "Debug", nil, "New"])
            let again = try await client.post(path + "/import", [schema, ["title": "New"]])
            #expect(try again.json["unchanged"] == 2)
            #expect(try again.json["changed"] == [])
        }
    }

    @Test("The command shows the effect of an import, and asks before a description is lost")
    func command() async throws {
        try await TestWorkspace.run { workspace async throws in
            let folder = try TemporaryFolder()
            let file = folder.path + "/schema.json"
            try Self.schema.write(toFile: file, atomically: true, encoding: .utf8)
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["plan", "import", file] + arguments + ["--write-key", "WK", "--server", workspace.client.url])
            }
            let trial = try await run("--dry-run")
            #expect(trial.status == 0, "\(trial.errors)")
            #expect(trial.output.contains("adds track Order Completed\n"))
            #expect(trial.output.contains("not checked: #/properties/total/minimum\n"))
            #expect(try await workspace.client.get("/api/sources/WK/plan").json["events"] == [])
            let done = try await run()
            #expect(done.output.hasSuffix("1 event is planned\n"), "\(done.output) \(done.errors)")
            try #"{"title":"Order Completed"}"#.write(toFile: file, atomically: true, encoding: .utf8)
            let loss = try await run()
            #expect(loss.status != 0)
            #expect(loss.errors.contains("the owner of track Order Completed is deleted"), "\(loss.errors)")
            try "{}".write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await run().errors.contains("#/title"))
        }
    }
}
