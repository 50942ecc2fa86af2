import ArgumentParser

/// Signs a bundle without deploying it.
struct PluginSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Prints the signature of the bundle that deploy would send.",
        discussion: """
            For apps that demand the signatures of several keys (LivePlugins(trust:)). Each owner of a key signs the same file on \
            their own machine. The signatures go to `tributary plugin deploy --signature`.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var file: String

    @Option(help: "The secret key; `tributary plugin key` makes one.", completion: .file())
    var key: String

    @OptionGroup var tables: TableOptions

    func run() throws {
        print(try SigningKey(file: key).signature(of: try BundleFile(file, tables: tables).bytes))
    }
}
