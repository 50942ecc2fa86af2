import ArgumentParser

/// Makes a folder with a destination function to begin with.
struct DestinationNewFunction: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-function",
        abstract: "Makes a folder with a destination function and test vectors that pass.",
        discussion: "In an existing folder, the command writes only the files that are missing.")

    @Argument(help: "The name of the function's class, such as OrderMessages.") var name: String

    @Argument(help: "The folder.", completion: .directory) var folder: String

    func validate() throws { try ClassName.check(name) }

    func run() throws {
        try NewFolder(path: folder).write([
            (FunctionFolder.codeFile, FunctionTemplate.code(name: name)),
            (FunctionFolder.vectorsFile, FunctionTemplate.vectors),
        ])
        print("try it: tributary destination test-function \(folder)")
    }
}
