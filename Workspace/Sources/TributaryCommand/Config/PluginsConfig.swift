import Foundation

/// The live plugins of a source, in a folder of configuration.
struct PluginsConfig: Equatable {
    /// The bundle for all devices, except those of the roll-out; nil for none.
    var forAll: Bundle?
    /// The roll-out to a few devices; nil when there is none.
    var staged: Rollout?

    static let nothing = PluginsConfig()

    struct Bundle: Equatable {
        var text: Data
        /// The author's signature in base 64.
        var signature: String?
        var place = PluginWhere.device
    }

    struct Rollout: Equatable {
        var bundle: Bundle
        /// Percentage of the devices, below 100.
        var percentage: Int
    }
}
