import ArgumentParser

/// Runs the test vectors of a source function.
struct SourceFunctionTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Shows whether a source function makes the events that its test vectors say.",
        discussion: """
            The folder has the code, function.js, and vectors.json: a list of objects with a name, settings, secrets, a request, and \
            the events that the function makes of it, or the status of the refusal. With "signed": true the request gets the \
            signature of its service. The code runs in the process that a server starts for it.

            The exit code is 1 when a vector fails.
            """)

    @Argument(help: "The folder.", completion: .directory) var folder: String

    func run() async throws {
        let code = try FunctionFolder.code("\(folder)/\(FunctionFolder.codeFile)")
        let vectors = try SourceFunctionVector.list("\(folder)/\(FunctionFolder.vectorsFile)")
        let style = OutputStyle.output
        let run = SourceFunctionVectorRun(code: code, style: style)
        var failed = 0
        for vector in vectors {
            let lines = try await run.differences(vector)
            failed += lines.isEmpty ? 0 : 1
            print("\(lines.isEmpty ? style.good("ok") : style.bad("FAIL"))  \(vector.name.printable)")
            for line in lines { print(line) }
        }
        print("\(vectors.count) vectors, \(failed) failed")
        if failed > 0 { throw ExitCode(1) }
    }
}
