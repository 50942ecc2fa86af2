import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// Makes types of a tracking plan.
struct PlanCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Writes the plan's events as types for Swift, Kotlin or TypeScript.",
        discussion: """
            With the types, the compiler finds an event with a wrong name, a missing property or a value of another type. The \
            plan is that of the workspace, or of a file. The same plan gives the same text, so the file can be kept in \
            version control, and a build can make it anew.

            Events that the plan blocks have no type, nor have aliases. Swift and Kotlin send screens, TypeScript sends pages. \
            The file ends with a list of the events that it does not have.
            """)

    @Argument(
        help: "A JSON file with the plan. Without it, the plan of the workspace is taken.",
        completion: .file(extensions: ["json"]))
    var file: String?

    @Option(help: "The language: \(PlannedCode.Language.allCases.map(\.rawValue).joined(separator: ", ")).")
    var language: PlannedCode.Language

    @Option(
        help: "Writes into this file, and only when its text changes. Without it, the text goes to standard output.",
        completion: .file())
    var output: String?

    @Option(help: "The package of the Kotlin file, such as com.example.events.")
    var package: String?

    @Option(help: "The write key of the source, for the plan of the workspace.")
    var writeKey: String?

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard (file == nil) != (writeKey == nil) else {
            throw ValidationError("Name either a file with the plan or a --write-key.")
        }
        guard let package else { return }
        guard language == .kotlin else { throw ValidationError("--package is for kotlin.") }
        guard package.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/) != nil else {
            throw ValidationError("--package is a name such as com.example.events.")
        }
    }

    func run() async throws {
        let plan = try Self.plan(try await document())
        guard !plan.events.isEmpty else {
            throw Failure("the plan has no events; tributary plan draft makes one of stored events")
        }
        let text = PlannedCode.text(plan, language, package: package)
        guard let output else { return print(text, terminator: "") }
        // A file that is as it was keeps its time, so that a build does not compile it again.
        if InputFile.isRegular(output), try InputFile.read(output) == Data(text.utf8) {
            return print("\(output.printable) is up to date")
        }
        do {
            // It holds no secrets, so others may read it, unlike the files of OutputFile.
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw OutputFile.unwritable(output, SystemReason.text(error))
        }
        print("\(output.printable) is written")
    }

    private static func plan(_ document: JSON) throws(Failure) -> TrackingPlan {
        do {
            return try TrackingPlan(document)
        } catch {
            throw Failure("the plan is not valid: \(error.message.printable)")
        }
    }

    private func document() async throws -> JSON {
        if let file { return try InputFile.json(file) }
        return try await AdministrationClient(server).below("api/sources", named: writeKey ?? "").get("plan")
    }
}

extension PlannedCode.Language: ExpressibleByArgument {}
