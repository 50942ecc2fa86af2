import ArgumentParser

/// Runs the test vectors of a destination function.
struct DestinationTestFunction: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-function",
        abstract: "Shows whether a destination function makes the requests that its test vectors say.",
        discussion: """
            The folder has the code, function.js, and vectors.json: a list of objects with a name, settings, events and the \
            requests that the function makes of them, or a part of the error. Secrets are {{secret:name}} in requests. The \
            code runs in the process that a server starts for it, and nothing is sent.

            The exit code is 1 when a vector fails.
            """)

    @Argument(help: "The folder.", completion: .directory) var folder: String

    func run() async throws {
        let folder = try FunctionFolder(folder)
        let style = OutputStyle.output
        let run = FunctionVectorRun(folder: folder, style: style)
        var failed = 0
        for vector in folder.vectors {
            let verdict = try await run.verdict(vector)
            failed += verdict.lines.isEmpty ? 0 : 1
            let mark = verdict.lines.isEmpty ? style.good("ok") : style.bad("FAIL")
            print("\(mark)  \(verdict.name.printable)")
            for line in verdict.lines { print(line) }
        }
        print("\(folder.vectors.count) vectors, \(failed) failed")
        if failed > 0 { throw ExitCode(1) }
    }
}
