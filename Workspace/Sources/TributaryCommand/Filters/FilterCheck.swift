import ArgumentParser
import TributaryFilterTestKit
import TributaryJSON

/// Runs conformance vectors.
struct FilterCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Runs conformance vectors of the filter language and names each failure.",
        discussion: """
            The command tests the evaluator, not your rules; `tributary filter test` tests rules.

            A file contains {"vectors": [...]}, or only the list. A vector has a kind (matcher, transform or rule), an \
            event, and the expected result, or "throws": true. The last line is "N passed, M failed"; the exit code is \
            1 when a vector failed.
            """)

    @Argument(help: "Files of vectors.", completion: .file(extensions: ["json"]))
    var files: [String]

    func run() throws {
        // All files are read before any vector runs, so that a wrong file name is reported first.
        let vectorFiles = try files.map { path in (path, try Self.vectors(in: path)) }
        var passed = 0
        var failed = 0
        for (path, vectors) in vectorFiles {
            for verdict in vectors.verdicts() {
                guard let failure = verdict.failure else {
                    passed += 1
                    continue
                }
                failed += 1
                for line in VectorReport(path, verdict, failure, style: .output).lines { print(line) }
            }
        }
        print("\(passed) passed, \(failed) failed")
        if failed > 0 { throw ExitCode(1) }
    }

    private static func vectors(in path: String) throws(Failure) -> VectorFile {
        do {
            return try VectorFile(try InputFile.json(path))
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure("\(path) is not a file of vectors: \(error)")
        }
    }
}
