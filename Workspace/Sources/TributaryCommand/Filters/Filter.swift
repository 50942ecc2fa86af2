import ArgumentParser

/// Commands for destination filters.
struct Filter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks, tests and deploys destination filters.",
        subcommands: [
            FilterCheck.self, FilterTest.self, FilterDeploy.self, FilterShow.self,
            FilterDiff.self, FilterRollback.self,
            RolloutCommand<DeployedFilters>.self, HealthCommand<DeployedFilters>.self, FilterList.self,
        ])
}
