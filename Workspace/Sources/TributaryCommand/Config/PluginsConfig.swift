import Foundation

/// Which live plugins devices of a source run, as a folder of configuration says it.
struct PluginsConfig: Equatable {
    /// For all devices, apart from those of the stage; nil for none.
    var forAll: Bundle?
    /// What a few devices run instead; nil when nothing is staged.
    var staged: Rollout?

    static let nothing = PluginsConfig()

    struct Bundle: Equatable {
        var text: Data
        /// The author's signature in base 64.
        var signature: String?
    }

    struct Rollout: Equatable {
        var bundle: Bundle
        /// For how many of a hundred devices, below 100.
        var percentage: Int
    }
}
