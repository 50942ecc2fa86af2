import ArgumentParser

/// Commands for live plugins.
struct Plugin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes, checks, tests and deploys live plugins.",
        subcommands: [
            PluginNew.self, PluginCheck.self, PluginTest.self, PluginGolden.self, PluginBuild.self, PluginDeploy.self,
            PluginShow.self,
            PluginDiff.self, PluginRollback.self, PluginWiden.self,
            RolloutCommand<DeployedPlugins>.self, HealthCommand<DeployedPlugins>.self, PluginList.self,
            PluginDisable.self, PluginKey.self, PluginSign.self,
            PluginTrial.self, PluginWorker.self,
        ])
}
