import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Source functions, with the real executable and a real server.
@Suite("Commands about source functions", .timeLimit(.minutes(30))) struct SourceFunctionCommandTests {
    private static let templates = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Templates/sources").standardizedFileURL

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func command(_ arguments: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["source", "function"] + arguments)
    }

    @Test("A new function passes its vectors, and a change of the code is shown as a difference")
    func vectors() async throws {
        let folder = try TemporaryFolder().path + "/payments"
        let made = try await command("new", "Payments", folder)
        #expect(made.output.contains("try it: tributary source function test \(folder)"), "\(made.errors)")
        let passed = try await command("test", folder)
        #expect(passed.output.contains("3 vectors, 0 failed"), "\(passed.output)\(passed.errors)")
        #expect(passed.status == 0)
        let file = folder + "/function.js"
        let code = try String(contentsOfFile: file, encoding: .utf8)
        try write(code.replacing("Order Completed", with: "Order Paid"), file)
        let failed = try await command("test", folder)
        #expect(failed.status == 1)
        #expect(failed.output.contains("FAIL  a paid order becomes an event"))
        #expect(failed.output.contains("Order Paid"), "\(failed.output)")
        try write(code.replacing("json?.kind", with: "json.kind.of.it"), file)
        let broken = try await command("test", folder)
        #expect(
            broken.output.contains("expected the status 200, got 503: function, line 9: TypeError"), "\(broken.output)")
        #expect(broken.output.contains("ok  a wrong signature is refused"), "\(broken.output)")
        try write(code.replacing("hmac-sha256", with: "md5"), file)
        #expect(
            try await command("test", folder).output.contains(
                "the scheme is app-store, header, hmac-sha256, none, stripe"))
        #expect(try await command("new", "not a name", folder).status != 0)
        for text in ["[]", "{}", "[{}]", #"[{"request":{"body":1,"x":1},"events":[]}]"#, #"[{"request":{"body":1}}]"#] {
            try write(text, folder + "/vectors.json")
            let wrong = try await command("test", folder)
            #expect(wrong.status == 1 && wrong.errors.contains("vectors.json"), "\(wrong.errors)")
        }
    }

    @Test("The vectors of every template pass in the real process, and every template is part of the program")
    func templates() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.templates.path).sorted()
        #expect(names == SourceFunctionFiles.templates, "run scripts/support/script_files.py --update")
        for name in names {
            let folder = Self.templates.appendingPathComponent(name).path
            #expect(
                SourceFunctionFiles.code(ofTemplate: name)
                    == (try String(contentsOfFile: folder + "/function.js", encoding: .utf8)))
            #expect(
                SourceFunctionFiles.vectors(ofTemplate: name)
                    == (try String(contentsOfFile: folder + "/vectors.json", encoding: .utf8)))
            let outcome = try await command("test", folder)
            #expect(outcome.status == 0, "\(name): \(outcome.output)\(outcome.errors)")
        }
        #expect(try await command("templates").output.split(separator: "\n").count == names.count)
        #expect(try await command("templates", "stripe").output == SourceFunctionFiles.code(ofTemplate: "stripe"))
        #expect(try await command("templates", "nothing").status == 1)
    }

    @Test("A function is set with a secret of a file, takes a webhook, is shown without its secret and removed")
    func lifecycle() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["source", "function"] + arguments + ["--server", workspace.client.url, "--write-key", "WK"])
            }
            let folder = try TemporaryFolder()
            try write("the-secret-text\n", folder.path + "/secret")
            let missing = try await run("set", "--template", "revenuecat")
            #expect(missing.status == 1)
            #expect(missing.errors.contains("the secret authorization is missing"), "\(missing.errors)")
            let none = try await run("show")
            #expect(none.status == 1 && none.errors.contains("has no function"), "\(none.errors)")
            let made = try await run(
                "set", "--template", "revenuecat", "--secret-file", "authorization=\(folder.path)/secret", "--setting",
                "sandbox=true")
            #expect(made.output.contains("RevenueCat  requests are checked by: header"), "\(made.errors)")
            #expect(made.output.contains("  sandbox: true"), "\(made.output)")
            let address = try #require(made.output.firstMatch(of: /address: (http\S+)/)?.1)
            let hook = String(address.dropFirst(workspace.client.url.count))
            let body: JSON = ["event": ["id": "e-1", "type": "TEST", "app_user_id": "u-1", "environment": "SANDBOX"]]
            let answer = try await workspace.client.post(hook, body, headers: ["Authorization": "the-secret-text"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await workspace.client.post(hook, body, headers: ["Authorization": "x"]).status == 401)
            #expect(try await workspace.client.events().map { $0["messageId"] } == ["e-1"])
            let shown = try await run("show")
            #expect(shown.output.contains("1 requests with 1 events taken, 1 refused, 0 failed"), "\(shown.output)")
            #expect(shown.output.contains("last refusal"))
            let changed = try await run("set", "--setting", "sandbox=")
            #expect(!changed.output.contains("sandbox") && changed.output.contains(address), "\(changed.output)")
            #expect(try await run("remove", "--yes").output == "the function of WK is removed\n")
            for outcome in [missing, made, shown, changed] {
                #expect(!(outcome.output + outcome.errors).contains("the-secret-text"))
            }
        }
    }
}
