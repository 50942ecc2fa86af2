import Foundation
import Testing

/// The words of the command line that all commands share.
@Suite(.timeLimit(.minutes(30))) struct CommandLineTests {
    @Test("`--version` shows the version of the program only as the first word")
    func version() async throws {
        let outcome = try await CommandRun.finish(["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: ".").count == 3)
        for command in [["plugin", "list", "--write-key", "WK"], ["serve"], ["stats"]] {
            let outcome = try await CommandRun.finish(command + ["--version"])
            #expect(outcome.status == 64, "\(command)")
            #expect(outcome.errors.contains("--version"), "\(outcome.errors)")
        }
    }

    @Test("`rollback --version` goes back to that version")
    func rollback() async throws {
        try await TestWorkspace.run { workspace async throws in
            for kind in ["plugin", "filter"] {
                let outcome = try await CommandRun.finish([
                    kind, "rollback", "--version", "99", "--write-key", "WK", "--server", workspace.client.url,
                ])
                #expect(outcome.status == 1, "\(kind)")
                #expect(outcome.errors.contains("99"), "\(outcome.errors)")
            }
        }
    }

    @Test(
        "A misspelt subcommand is answered with the one that looks like it, or with all that there are",
        arguments: [
            (["plugni", "list"], "did you mean 'plugin'?"), (["plugin", "deplyo", "x.js"], "did you mean 'deploy'?"),
            (["destinations", "list"], "did you mean 'destination'?"),
            (["filter", "rolback"], "did you mean 'rollback'?"),
            (["start"], "there is no command 'start', only serve, "), (["key", "x"], "there is no command 'x', only "),
            (["plugin", "\u{1B}[2J"], "there is no command "),
        ])
    func misspelt(arguments: [String], answer: String) async throws {
        let outcome = try await CommandRun.finish(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(answer), "\(outcome.errors)")
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test(
        "`pause`, `resume` and `remove` of an unknown destination say the same",
        arguments: ["pause", "resume", "remove"])
    func unknownDestination(command: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let outcome = try await CommandRun.finish([
                "destination", command, "Nowhere", "--write-key", "WK", "--server", workspace.client.url,
            ])
            #expect(outcome.status == 1)
            #expect(outcome.errors == "Error: the server refused: the source has no destination Nowhere\n")
        }
    }

    @Test("Filters have no roll-out to a single share of the devices, and the answer says what to write")
    func filterShare() async throws {
        let outcome = try await CommandRun.finish([
            "filter", "deploy", "r.json", "--write-key", "WK", "--rollout", "5%",
        ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("--rollout 5%,100%"))
    }
}
