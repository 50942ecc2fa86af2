import ArgumentParser
import Foundation

/// Writes the workspace's configuration to files.
struct ConfigExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the configuration of a workspace to a folder.",
        discussion: """
            Files of an earlier export that would change, or are not in use any more, are only replaced or deleted after \
            a question, or with --overwrite.
            """)

    @Argument(help: "The folder; made when it is missing.", completion: .directory)
    var folder: String

    @OptionGroup var options: ServerOptions

    @OptionGroup var replacing: OverwriteOptions

    func run() async throws {
        let config = try await WorkspaceConfig(of: AdministrationClient(options))
        try replacing.confirm(config.losses(in: folder))
        // Settings of destinations and addresses of webhooks may hold secrets.
        umask(0o077)
        try config.write(to: folder)
        // A file that existed before has kept its mode.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder + "/" + WorkspaceConfig.fileName)
        let plugins = config.sources.count { $0.plugins != .nothing }
        print("\(config.sources.count) sources, \(plugins) of them with live plugins, are in \(folder)")
    }
}
