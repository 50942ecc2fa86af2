import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Destination functions, with the real executable, a real server and a real receiver.
@Suite("Commands about destination functions", .timeLimit(.minutes(30))) struct FunctionCommandTests {
    private static let templates = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Templates/destinations").standardizedFileURL

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("A new function passes its vectors, and a change of the code is shown as a difference")
    func vectors() async throws {
        let folder = try TemporaryFolder().path + "/orders"
        let made = try await CommandRun.finish(["destination", "new-function", "OrderMessages", folder])
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("try it: tributary destination test-function \(folder)"))
        let passed = try await CommandRun.finish(["destination", "test-function", folder])
        #expect(
            passed.output.contains("ok  an order becomes a message\nok  other events are not sent\n2 vectors, 0 failed")
        )
        #expect(passed.status == 0)
        let file = folder + "/function.js"
        let code = try String(contentsOfFile: file, encoding: .utf8)
        try write(code.replacing("An order of", with: "A sale of"), file)
        let failed = try await CommandRun.finish(["destination", "test-function", folder])
        #expect(failed.status == 1)
        #expect(failed.output.contains("FAIL  an order becomes a message"))
        #expect(failed.output.contains("A sale of 42.5"), "\(failed.output)")
        try write(code.replacing("track(event", with: "track(event, \n"), file)
        let broken = try await CommandRun.finish(["destination", "test-function", folder])
        #expect(broken.status == 1)
        #expect(broken.output.contains("function.js, line"), "\(broken.output)")
        let again = try await CommandRun.finish(["destination", "new-function", "OrderMessages", folder])
        #expect(again.output.contains("function.js is there already"))
        #expect(try await CommandRun.finish(["destination", "new-function", "not a name", folder]).status != 0)
    }

    @Test("The vectors of every template pass in the real process, and every template is part of the program")
    func templates() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.templates.path).sorted()
        #expect(names == FunctionFiles.templates, "run scripts/support/script_files.py --update")
        for name in names {
            let folder = Self.templates.appendingPathComponent(name).path
            #expect(
                FunctionFiles.code(ofTemplate: name)
                    == (try String(contentsOfFile: folder + "/function.js", encoding: .utf8)))
            #expect(
                FunctionFiles.vectors(ofTemplate: name)
                    == (try String(contentsOfFile: folder + "/vectors.json", encoding: .utf8)))
            let outcome = try await CommandRun.finish(["destination", "test-function", folder])
            #expect(outcome.status == 0, "\(name): \(outcome.output)\(outcome.errors)")
        }
        let list = try await CommandRun.finish(["destination", "templates"])
        #expect(list.output.split(separator: "\n").count == names.count)
        let code = try await CommandRun.finish(["destination", "templates", "segment-compatible"])
        #expect(code.output == FunctionFiles.code(ofTemplate: "segment-compatible"))
        #expect(try await CommandRun.finish(["destination", "templates", "nothing"]).status == 1)
    }

    @Test("A function is added with secrets of files, tried, changed and shown without its secrets")
    func lifecycle() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
                func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                    try await CommandRun.finish(
                        ["destination"] + arguments + ["--server", workspace.client.url, "--write-key", "WK"])
                }
                let folder = try TemporaryFolder()
                let (code, secret) = (folder.path + "/fn.js", folder.path + "/token")
                try write("the-secret-token\n", secret)
                try write(
                    """
                    class Orders extends Destination {
                      static settings = { endpoint: { required: true }, limit: { type: "number" } };
                      static secrets = { token: { required: true } };
                      static hosts = ["{endpoint}"];
                      track(event, settings) { return request("POST", settings.endpoint, {
                        headers: { Authorization: bearer(secret("token")) }, body: { name: event.event, limit: settings.limit } }); }
                    }
                    """, code)
                let settings = ["--setting", "endpoint=\(url)"]
                let missing = try await run("add", "Orders", "--code", code, settings[0], settings[1])
                #expect(missing.status == 1)
                #expect(missing.errors.contains("the secret token is missing"), "\(missing.errors)")
                let added = try await run(
                    "add", "Orders", "--code", code, settings[0], settings[1], "--secret-file", "token=\(secret)",
                    "--timeout", "9")
                #expect(added.output == "Orders is made, and gets new events\n", "\(added.errors)")
                try await workspace.client.batch([Events.track(messageId: "m-1")])
                #expect(await receiver.accepts(1).first?.headers["authorization"] == "Bearer the-secret-token")
                let tried = try await run("try", "Orders")
                #expect(
                    tried.output
                        == """
                        m-1
                          POST \(url)
                            Authorization: Bearer {{secret:token}}
                            Content-Type: application/json
                            {"name":"Order Completed"}

                        """, "\(tried.errors)")
                let other = try await run("try", "Orders", "--setting", "limit=5", "--last", "1")
                #expect(other.output.contains(#""limit":5"#), "\(other.output)\(other.errors)")
                let changed = try await run("set", "Orders", "--setting", "limit=8", "--parallel", "2")
                for line in ["timeoutSeconds: 9", "parallelRequests: 2", "secrets: token", "code: Orders, "] {
                    #expect(changed.output.contains("  \(line)"), "\(changed.output)\(changed.errors)")
                }
                let list = try await run("list")
                #expect(list.output.hasPrefix("Orders  function  Orders  delivering"), "\(list.output)")
                try write(
                    "class Orders extends Destination { track() { return nothing; } static hosts = ['example.com']; }",
                    code)
                let failing = try await run("try", "Orders", "--code", code)
                #expect(failing.status == 1)
                let test = try await run("test", "Orders")
                #expect(test.output.hasPrefix("accepted: 200 OK"), "\(test.output)")
                for outcome in [added, tried, changed, list, test, failing] {
                    #expect(!(outcome.output + outcome.errors).contains("the-secret-token"))
                }
            }
        }
    }

    @Test("A configuration file has the code of a function and no secret, and applying it twice changes nothing")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        func config(_ workspace: TestWorkspace, _ arguments: String...) async throws -> CommandRun.Outcome {
            try await CommandRun.finish(["config"] + arguments + ["--server", workspace.client.url])
        }
        let body = """
            {"kind":"function","enabled":false,"secrets":{"writeKey":"the-secret-key"},
             "settings":{"template":"segment-compatible","settings":{"endpoint":"https://there.example.com"}}}
            """
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            #expect(try await workspace.client.put("/api/sources/WK/destinations/There", body).status == 201)
            _ = try await config(workspace, "export", folder.path, "--overwrite")
            #expect(try await config(workspace, "diff", folder.path).output == "nothing to change\n")
        }
        let file = try String(contentsOfFile: folder.path + "/workspace.json", encoding: .utf8)
        #expect(file.contains("class SegmentCompatible"))
        #expect(!file.contains("the-secret-key"))
        #expect(!file.contains("declaration"))
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let applied = try await config(workspace, "apply", folder.path)
            #expect(applied.output.hasSuffix("1 changes made\n"), "\(applied.output)\(applied.errors)")
            #expect(try await config(workspace, "apply", folder.path).output == "nothing to change\n")
        }
    }

    @Test("The secret of a function comes from standard input, too, and options of other kinds are refused")
    func options() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            let options = ["--server", workspace.client.url, "--write-key", "WK"]
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data("THERE\n".utf8))
            try pipe.fileHandleForWriting.close()
            let command = [
                "destination", "add", "There", "--template", "segment-compatible", "--setting",
                "endpoint=https://there.example.com",
                "--secret-file", "writeKey=-", "--off",
            ]
            let added = try await CommandRun(command + options, input: pipe.fileHandleForReading).finished()
            #expect(added.status == 0, "\(added.errors)")
            let stored = try await workspace.client.get("/api/sources/WK/destinations/There").json
            #expect(stored["secrets"] == ["writeKey"])
            for wrong in [
                ["--url", "https://example.com", "--setting", "a=b"], ["--template", "x", "--code", "y"],
                ["--template", "segment-compatible", "--batch", "5"], ["--template", "segment-compatible", "--files"],
            ] {
                #expect(try await CommandRun.finish(["destination", "add", "X"] + wrong + options).status == 64)
            }
            let unnamed = ["--template", "segment-compatible", "--secret-file", "no-name"]
            let refused = try await CommandRun.finish(["destination", "add", "X"] + unnamed + options)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("write --secret-file name=value"), "\(refused.errors)")
        }
    }
}
