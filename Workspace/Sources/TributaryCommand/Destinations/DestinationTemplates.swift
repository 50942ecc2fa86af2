import ArgumentParser
import WorkspaceServer

/// Lists the templates of destination functions.
struct DestinationTemplates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Lists the templates of destination functions that are part of this program.",
        discussion: "With a name, the command writes the code of the template.")

    @Argument(help: "The name of a template.") var name: String?

    func run() throws {
        guard let name else {
            for name in FunctionFiles.templates {
                print("\(OutputStyle.output.bold(name))  \(FunctionFiles.about(template: name))")
            }
            return
        }
        guard let code = FunctionFiles.code(ofTemplate: name) else {
            throw Failure(
                "there is no template \(name.printable); there is \(FunctionFiles.templates.joined(separator: ", "))")
        }
        print(code, terminator: "")
    }
}
