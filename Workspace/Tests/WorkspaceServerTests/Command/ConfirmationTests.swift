import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore
@testable import WorkspaceServer

/// Commands that cannot be undone, with the real executable.
@Suite("Steps that cannot be undone", .timeLimit(.minutes(30))) struct ConfirmationTests {
    private func run(_ workspace: TestWorkspace, _ arguments: [String]) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(arguments + ["--server", workspace.client.url])
    }

    /// A source with a second key, and a destination that is off, for which an event waits.
    private func fill(_ client: TestClient) async throws {
        #expect(try await client.post("/api/sources/WK/keys", ["key": "NEW", "name": "app 2"]).status == 201)
        let hook = #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:9/"}}"#
        #expect(try await client.put("/api/sources/WK/destinations/Hook", hook).status == 201)
        #expect(try await client.post("/api/tokens", ["name": "Ana", "role": "look"]).status == 201)
        _ = try await client.put("/api/sources/WK/integrations", #"{"Mixer":{"apiKey":"k"}}"#)
        _ = try await client.put("/api/sources/WK/plan", #"{"events":[{"type":"track","name":"Planned"}]}"#)
        try await client.batch([Events.track(messageId: "m-1", userId: "u-1")])
    }

    /// What none of the commands may change.
    private func state(_ client: TestClient) async throws -> [JSON] {
        [
            try await client.get("/api/sources/WK/keys").json, try await client.get("/api/tokens").json,
            ["status": .number(try await client.get("/api/sources/WK/destinations/Hook").status)],
            try await client.get("/api/sources/WK/integrations").json,
            try await client.get("/api/sources/WK/plan").json, .array(try await client.events()),
        ]
    }

    /// In arguments, for a file with a plan of no events: an empty file is no plan.
    private static let emptyPlan = "EMPTY-PLAN"

    @Test(
        "A file that is there already is replaced only with --overwrite, and an export that changes nothing replaces none"
    )
    func files() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/events.ndjson"
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            _ = try await workspace.client.events()
            #expect(try await run(workspace, ["export", file]).status == 0)
            let exported = try Data(contentsOf: URL(fileURLWithPath: file))
            for (arguments, written) in [
                (["export", file], file), (["config", "export", folder.path], folder.path + "/workspace.json"),
            ] {
                try Data("mine".utf8).write(to: URL(fileURLWithPath: written))
                let refused = try await run(workspace, arguments)
                #expect(refused.status == 1)
                #expect(
                    refused.errors
                        == "Error: \(written) is there already, and nothing was written; add --overwrite to replace it\n"
                )
                #expect(try String(contentsOfFile: written, encoding: .utf8) == "mine")
                #expect(try await run(workspace, arguments + ["--overwrite"]).status == 0)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == exported)
            #expect(try await run(workspace, ["config", "export", folder.path]).status == 0)
            let pipe = folder.path + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            for arguments in [["export", pipe], ["export", pipe, "--overwrite"]] {
                let refused = try await run(workspace, arguments)
                #expect(refused.errors.contains("it is a device or a pipe"), "\(refused.errors)")
            }
            #expect(!InputFile.isRegular(pipe))
        }
    }

    @Test(
        "Nothing changes without --yes where no terminal can be asked, and the command says what would go",
        arguments: [
            (["key", "revoke", "NEW", "--write-key", "WK"], "the key NEW (app 2) is revoked", "nothing was revoked"),
            (
                ["destination", "remove", "Hook", "--write-key", "WK"], "the destination Hook goes with its secret",
                "nothing was removed"
            ),
            (["source", "remove", "--write-key", "WK"], "2 keys (WK, NEW)", "nothing was removed"),
            (["token", "revoke", "Ana"], "the token Ana is revoked", "nothing was revoked"),
            (["erase", "--user", "u-1"], "of the user u-1, in all sources", "nothing was erased"),
            (["reset", "--write-key", "WK"], "the events of WK go; it stored 1", "nothing was deleted"),
            (
                ["settings", "destination", "remove", "Mixer", "--write-key", "WK"],
                "the settings of Mixer are deleted: apiKey", "nothing was changed"
            ),
            (
                ["settings", "destination", "set", "Mixer", "--write-key", "WK"],
                "settings of Mixer that are not named are deleted: apiKey", "nothing was changed"
            ),
            (
                ["plan", "set", Self.emptyPlan, "--write-key", "WK"],
                "the plan does not have these events any more: track Planned", "the plan is as it was"
            ),
        ])
    func refused(_ arguments: [String], _ loss: String, _ otherwise: String) async throws {
        let folder = try TemporaryFolder()
        let plan = folder.path + "/plan.json"
        try Data(#"{"events":[]}"#.utf8).write(to: URL(fileURLWithPath: plan))
        let arguments = arguments.map { $0 == Self.emptyPlan ? plan : $0 }
        try await TestWorkspace.run(allowsReset: true) { workspace async throws in
            try await fill(workspace.client)
            let before = try await state(workspace.client)
            let outcome = try await run(workspace, arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errors.hasPrefix("This cannot be undone:\n  "), "\(outcome.errors)")
            #expect(outcome.errors.contains(loss), "\(outcome.errors)")
            #expect(outcome.errors.hasSuffix("Error: \(otherwise); add --yes to do it\n"), "\(outcome.errors)")
            #expect(try await state(workspace.client) == before)
            #expect(try await run(workspace, arguments + ["--yes"]).status == 0)
            #expect(try await state(workspace.client) != before)
        }
    }

    @Test("An old export is applied only with --yes when it would revoke a key and remove a destination")
    func oldExport() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run { workspace async throws in
            #expect(try await run(workspace, ["config", "export", folder.path]).status == 0)
            try await fill(workspace.client)
            let before = try await state(workspace.client)
            let asked = try await run(workspace, ["config", "apply", folder.path])
            #expect(asked.status == 1)
            #expect(asked.output.contains("- key NEW (app 2) is revoked"), "\(asked.output)")
            #expect(asked.output.contains("- destination Hook"))
            #expect(
                asked.errors == """
                    This cannot be undone:
                      WK: the settings of Mixer are deleted: apiKey
                      WK: the destination Hook goes with its secret; it never gets 1 event that waits for it, and its \
                    0 dead letters are deleted
                      WK: the key NEW (app 2) is revoked; apps that send with it are refused from now on
                    Error: nothing was changed; add --yes to do it

                    """)
            #expect(try await state(workspace.client) == before)
            let applied = try await run(workspace, ["config", "apply", folder.path, "--yes"])
            #expect(applied.output.hasSuffix("3 changes made\n"), "\(applied.errors)")
            #expect(try await state(workspace.client) != before)
        }
    }

    @Test("A new plan names the events, properties and descriptions that it takes away")
    func planLosses() throws {
        let before = try JSON.parse(
            #"""
            {"events":[{"type":"track","name":"A","description":"d","properties":[{"key":"x","description":"e"},{"key":"y"}]},
            {"type":"screen"},{"type":"track","name":"B"}]}
            """#)
        let after = try JSON.parse(
            #"{"events":[{"type":"track","name":"A","properties":[{"key":"x","type":"number"}]},{"type":"track","name":"B"}]}"#
        )
        #expect(
            PlanLosses.lines(from: before, to: after) == [
                "the plan does not have these events any more: screen", "the description of track A is deleted",
                "the plan of track A does not have these properties any more: y",
                "the descriptions of these properties of track A are deleted: x",
            ])
        #expect(PlanLosses.lines(from: after, to: before) == [])
        #expect(PlanLosses.lines(from: before, to: before) == [])
        #expect(PlanLosses.lines(from: before, to: "no plan").count == 1)
    }

    @Test("Only yes is taken as yes, and --yes and a step without a loss ask nothing")
    func decision() throws {
        let step = IrreversibleStep(losses: ["all goes"], question: "Go on?", otherwise: "nothing was done")
        var asked: [String] = []
        func outcome(_ step: IrreversibleStep, isGiven: Bool = false, answer: Bool?) -> String? {
            do throws(Failure) {
                try step.confirm(isGiven: isGiven) { question in
                    asked.append(question)
                    return answer
                }
                return nil
            } catch {
                return error.description
            }
        }
        #expect(outcome(step, answer: true) == nil)
        #expect(outcome(step, answer: false) == "nothing was done")
        #expect(outcome(step, answer: nil) == "nothing was done; add --yes to do it")
        #expect(asked == ["Go on?", "Go on?", "Go on?"])
        #expect(outcome(step, isGiven: true, answer: false) == nil)
        let harmless = IrreversibleStep(losses: [], question: "Go on?", otherwise: "nothing was done")
        #expect(outcome(harmless, answer: false) == nil)
        #expect(asked.count == 3)
    }
}
