import Foundation
import Testing
import TributaryJSON

@Suite struct FilterCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(_ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["filter"] + arguments)
    }

    // MARK: check

    private static let passing = """
        {"kind":"matcher","test":"is a track","matcher":{"type":"fql","ir":"[\\"=\\",\\"type\\",{\\"value\\":\\"track\\"}]"},\
        "event":{"type":"track"},"expected":true}
        """
    private static let throwing = """
        {"kind":"transform","test":"unknown","transformers":[{"type":"encrypt"}],"event":{},"throws":true}
        """
    private static let rule = """
        {"kind":"rule","test":"a rule","rule":{"matchers":[{"type":"all"}],"transformers":[[{"type":"drop"}]]},\
        "event":{"a":1},"expected":null}
        """

    @Test("`filter check` passes when every vector has the expected result")
    func checkPasses() async throws {
        let vectors = try file("v.json", #"{"about":"","vectors":[\#(Self.passing),\#(Self.throwing),\#(Self.rule)]}"#)
        let list = try file("list.json", "[\(Self.passing)]")
        let outcome = try await run("check", vectors, list)
        #expect(outcome.output == "4 passed, 0 failed\n")
        #expect(outcome.status == 0)
    }

    @Test("`filter check` shows the expected and the actual result of each failed vector")
    func checkNamesFailures() async throws {
        let wrong = Self.passing.replacing(#""expected":true"#, with: #""expected":false"#)
        let changed = """
            {"kind":"transform","test":"drops b","transformers":[{"type":"drop_properties","config":{"drop":{"":["b"]}}}],\
            "event":{"a":1,"b":2},"expected":{"a":1,"b":2,"c":{"d":3}}}
            """
        let unexpected = Self.throwing.replacing(#""throws":true"#, with: #""expected":{}"#)
        let unreadable = #"{"kind":"other","event":{},"expected":1}"#
        let vectors = try file("v.json", "[\(Self.passing),\(wrong),\(changed),\(unexpected),\(unreadable)]")
        let outcome = try await run("check", vectors)
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                FAIL  \(vectors) [1]  is a track
                  expected  false
                  got       true
                FAIL  \(vectors) [2]  drops b
                  - expected, + got
                  - b: 2
                  - c: {"d":3}
                FAIL  \(vectors) [3]  unknown
                  expected  {}
                  got       an error: type: unknown transformer type 'encrypt'
                FAIL  \(vectors) [4]
                  the vector cannot be read: an error: the kind must be matcher, transform or rule, not 'other'
                1 passed, 4 failed

                """)
    }

    @Test("Transformers behind a drop do not run", arguments: ["rule", "transform"])
    func check_stopsWhereTheEventIsDropped(kind: String) async throws {
        let steps = #"[{"type":"drop"},{"type":"encrypt"}]"#
        let question =
            kind == "rule"
            ? #""rule":{"destinationName":"A","matchers":[{"type":"all"}],"transformers":[\#(steps)]}"#
            : #""transformers":\#(steps)"#
        func vector(_ question: String, _ answer: String) -> String {
            #"{"kind":"\#(kind)",\#(question),"event":{"type":"track"},\#(answer)}"#
        }
        // In the reversed order the unknown transformer comes first.
        let reversed = question.replacing(steps, with: #"[{"type":"encrypt"},{"type":"drop"}]"#)
        let vectors = [vector(question, #""expected":null"#), vector(reversed, #""throws":true"#)]
        let outcome = try await run("check", try file("v.json", "[\(vectors.joined(separator: ","))]"))
        #expect(outcome.output == "2 passed, 0 failed\n")
    }

    @Test("`filter check` refuses unreadable files and wrong options")
    func checkRefusesFiles() async throws {
        for (text, message) in [("{", "is not JSON"), ("{}", "no list of vectors"), ("[]", "is empty")] {
            let outcome = try await run("check", try file("bad.json", text))
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
        let missing = try await run("check", folder.path + "/none.json")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("none.json cannot be read"))
        #expect(try await run("check").status == 64)
        #expect(try await run("check", "--fast", "x").status == 64)
    }

    // MARK: test

    private static let events = (1...10).map { number in
        #"{"type":"track","event":"\#(number % 5 == 0 ? "Noise" : "Order")","messageId":"m\#(number)","properties":{"card":"\#(number)","total":1}}"#
    }.joined(separator: "\n")

    private static let dropNoise = """
        {"name":"noise","destinationName":"Mixer","matchers":[{"type":"fql","ir":"[\\"=\\",\\"event\\",{\\"value\\":\\"Noise\\"}]"}],\
        "transformers":[[{"type":"drop"}]]}
        """
    private static let hideCard = """
        {"matchers":[{"type":"fql","ir":"[\\"match\\",\\"properties.card\\",{\\"value\\":\\"[1-3]\\"}]"}],\
        "transformers":[[{"type":"drop_properties","config":{"drop":{"properties":["card"]}}}]]}
        """

    @Test("`filter test` counts the events that each rule drops and changes, and shows examples")
    func testCounts() async throws {
        let rules = try file("rules.json", "[\(Self.dropNoise),\(Self.hideCard)]")
        let events = try file("events.ndjson", Self.events + "\n\nnot JSON\n")
        let outcome = try await run(
            "test", rules, "--events", events, "--examples", "1", "--destination", "Mixer")
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                line 1, track "Order" m1, changed for Mixer by rule 1:
                  - properties.card: "1"
                rule 0 "noise" (Mixer): 2 dropped, 0 changed, 8 untouched
                rule 1 (Mixer): 0 dropped, 3 changed, 7 untouched
                Mixer: gets 8 of 10 events, 3 of them changed; 2 dropped
                1 lines could not be read

                """)
        #expect(
            outcome.errors.hasPrefix("line 12 is not JSON: ")
                && outcome.errors.hasSuffix("; it is left out\n"), "\(outcome.errors)")
    }

    @Test("`filter test` reads gzip files and settings documents, and names the faults of rules")
    func testReadsGzip() async throws {
        let broken = Self.hideCard.replacing(#"\"match\""#, with: #"\"like\""#)
        let rules = try file(
            "settings.json", #"{"middlewareSettings":{"routingRules":[\#(Self.dropNoise),\#(broken)]}}"#)
        let events = folder.path + "/events.ndjson.gz"
        try Data(try Gzip.compress(Array(Self.events.utf8))).write(to: URL(fileURLWithPath: events))
        let outcome = try await run("test", rules, "--events", events, "--examples", "0")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("any destination: gets 10 of 10 events, 10 of them changed; 0 dropped\n"))
        #expect(outcome.output.contains("Mixer: gets 8 of 10 events, 0 of them changed; 2 dropped\n"))
        #expect(outcome.errors.contains("problem  routingRules[1].matchers[0].ir (any destination): unknown operator"))
        #expect(outcome.errors.contains("the rule removes its data from every event"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test("`filter test --json` writes one line for each event")
    func testWritesJSON() async throws {
        let rules = try file("rule.json", Self.dropNoise)
        let events = try file("events.ndjson", Self.events)
        let outcome = try await run("test", rules, "--events", events, "--json")
        let lines = try outcome.output.split(separator: "\n").map { try JSON.parse(String($0)) }
        #expect(lines.count == 10)
        #expect(lines[0]["after"] == lines[0]["before"])
        #expect(lines[0]["rules"] == [])
        #expect(lines[4]["before"]?["messageId"] == "m5")
        #expect(lines[4]["after"] == .null)
        #expect(lines[4]["rules"] == [0])
        #expect(outcome.errors.contains("Mixer: gets 8 of 10 events"))
    }

    @Test("`filter test` refuses unusable files and options with the reason")
    func testRefusesFiles() async throws {
        let rules = try file("rule.json", Self.dropNoise)
        let events = try file("events.ndjson", Self.events)
        let cut = folder.path + "/cut.gz"
        let compressed = try Gzip.compress(Array(Self.events.utf8))
        try Data(compressed.prefix(compressed.count / 2)).write(to: URL(fileURLWithPath: cut))
        for (arguments, status, message) in [
            ([rules, "--events", folder.path + "/none"], 1, "there is no such file"),
            ([rules, "--events", folder.path], 1, "it is a folder"),
            ([rules, "--events", cut], 1, "cannot be read further"),
            ([rules, "--events", try file("empty", "")], 1, "holds no event"),
            ([events, "--events", events], 1, "is not JSON"),
            ([try file("x", "{}"), "--events", events], 1, "holds no rule"),
            ([rules, "--events", events, "--destination", "Other"], 1, "is for Other"),
            ([rules], 64, "--events"),
            ([rules, "--events", events, "--examples=-1"], 64, "--examples"),
        ] as [([String], Int32, String)] {
            let outcome = try await CommandRun.finish(["filter", "test"] + arguments)
            #expect(outcome.status == status, "\(arguments)")
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    // MARK: meaning

    private static let comparesPaths = """
        [{"name":"orders","destinationName":"Mixer","matchers":[{"type":"fql","ir":"[\\"=\\",\\"event\\",\\"Order Completed\\"]"}],\
        "transformers":[[{"type":"drop"}]]}]
        """

    @Test("`filter test` names a rule that cannot do what it says, and exits with 1")
    func testFindsMeaning() async throws {
        let events = try file("events.ndjson", Self.events)
        let outcome = try await run("test", try file("rules.json", Self.comparesPaths), "--events", events)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("error  rule 0, matchers[0].ir[2]: a text is a path"), "\(outcome.errors)")
    }

    @Test("`filter deploy` refuses a rule that cannot do what it says, and deploys it with --unchecked")
    func deployFindsMeaning() async throws {
        try await TestWorkspace.run { workspace async throws in
            let rules = try file("rules.json", Self.comparesPaths)
            func deploy(_ options: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["filter", "deploy", rules, "--write-key", "WK", "--server", workspace.client.url] + options)
            }
            let refused = try await deploy()
            #expect(refused.status == 1)
            #expect(refused.errors.contains(#"the value is {"value":"Order Completed"}"#), "\(refused.errors)")
            #expect(try await workspace.client.get("/api/sources/WK/filters").json == [])
            let dry = try await deploy("--dry-run")
            #expect(dry.output.contains("error  rule 0, matchers[0].ir[2]"), "\(dry.output)")
            let wanted = try await deploy("--unchecked")
            #expect(wanted.output == "1 rule deployed\n", "\(wanted.errors)")
            #expect(try await workspace.client.put("/api/sources/WK/filters", Self.comparesPaths).status == 400)
        }
    }

    @Test("`filter deploy` warns of an unknown destination, and of rules that concern none or all of the stored events")
    func deployWarns() async throws {
        try await TestWorkspace.run { workspace async throws in
            let events = (0..<120).map { number -> JSON in
                var event = Events.track(messageId: "m-\(number)", name: "Order")
                event["integrations"] = ["Mixer": true]
                return event
            }
            try await workspace.client.batch(events)
            func rule(_ destination: String, _ name: String) -> String {
                """
                {"destinationName":"\(destination)","matchers":[{"type":"fql","ir":"[\\"=\\",\\"event\\",{\\"value\\":\\"\(name)\\"}]"}],\
                "transformers":[[{"type":"drop"}]]}
                """
            }
            let rules = try file("r.json", "[\(rule("Mixr", "x")),\(rule("Mixer", "Order"))]")
            let outcome = try await CommandRun.finish([
                "filter", "deploy", rules, "--write-key", "WK", "--server", workspace.client.url,
            ])
            #expect(outcome.status == 0)
            for text in [
                #"did you mean "Mixer"?"#, "rule 0: none of the newest 120 stored events is dropped or changed",
                "rule 1: all of the newest 120 stored events are dropped",
            ] { #expect(outcome.errors.contains(text), "\(outcome.errors)") }
        }
    }
}
