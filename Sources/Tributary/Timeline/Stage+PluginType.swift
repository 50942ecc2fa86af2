extension Stage {
    /// The stage of plugins of a type.
    init(_ type: PluginType) {
        switch type {
        case .before: self = .before
        case .enrichment, .utility: self = .enrichment
        case .destination: self = .destination
        case .after: self = .after
        }
    }
}
