import ArgumentParser

/// Makes a key for signing.
struct PluginKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Makes an Ed25519 key for signing bundles, or shows the public key of an existing one.",
        discussion: """
            The file contains the secret key. Anybody who has it can run code in your apps. Put the public key that is \
            printed into the app: LivePlugins(fallbackFileURL: url, publicKey: "...").
            """)

    @Argument(help: "The file of the secret key; it is made when it does not exist.", completion: .file())
    var file: String

    func run() throws { print(try SigningKey(fileOrNew: file).publicKey) }
}
