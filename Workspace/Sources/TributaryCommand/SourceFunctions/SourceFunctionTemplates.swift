import ArgumentParser
import WorkspaceServer

/// Lists the templates of source functions.
struct SourceFunctionTemplates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Lists the templates of source functions that are part of this program.",
        discussion: "With a name, the command writes the code of the template.")

    @Argument(help: "The name of a template.") var name: String?

    func run() throws {
        guard let name else {
            for name in SourceFunctionFiles.templates {
                print("\(OutputStyle.output.bold(name))  \(Self.title(name))")
            }
            return
        }
        guard let code = SourceFunctionFiles.code(ofTemplate: name) else {
            let known = SourceFunctionFiles.templates.joined(separator: ", ")
            throw Failure("there is no template \(name.printable); there is \(known)")
        }
        print(code, terminator: "")
    }

    /// The comment in the first line of the code.
    private static func title(_ name: String) -> String {
        let line = SourceFunctionFiles.code(ofTemplate: name)?.prefix { $0 != "\n" } ?? ""
        return String(line.drop { $0 == "/" || $0 == " " })
    }
}
