/// The kinds of deployment that can have a roll-out with a plan. A source has at most one open roll-out of each kind.
package enum RolloutKind: String, Sendable, CaseIterable {
    case livePlugins
    case filters

    /// The kind in a sentence.
    package var title: String {
        switch self {
        case .livePlugins: "live plugins"
        case .filters: "filters"
        }
    }

    /// The kind in the path of the administration.
    package var path: String {
        switch self {
        case .livePlugins: "live-plugins"
        case .filters: "filters"
        }
    }
}
