/// A kind of deployment that can have a roll-out with a plan, as commands name it.
protocol Deployed {
    /// The command with the subcommands that deploy and manage it.
    static var command: String { get }
    /// The kind in a sentence.
    static var title: String { get }
    /// The kind in the path of the administration.
    static var path: String { get }
    /// The versions, and the roll-out, in the answer about health.
    static var health: (versions: String, rollout: String) { get }
}

/// Live plugins.
enum DeployedPlugins: Deployed {
    static let command = "plugin"
    static let title = "live plugins"
    static let path = "live-plugins"
    static let health = (versions: "versions", rollout: "rollout")
}

/// Destination filters.
enum DeployedFilters: Deployed {
    static let command = "filter"
    static let title = "filters"
    static let path = "filters"
    static let health = (versions: "filters", rollout: "filterRollout")
}
