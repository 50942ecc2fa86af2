import ArgumentParser
import TributaryJSON

/// Where a version of live plugins runs.
enum PluginWhere: String, ExpressibleByArgument, CaseIterable {
    case device
    case workspace
    case both

    /// The place that an answer of the server names. Servers before this version have one place.
    init(_ answer: JSON) { self = answer["where"]?.stringValue.flatMap(Self.init(rawValue:)) ?? .device }

    /// The words behind a version that runs in the workspace; empty for one that runs on devices only.
    var note: String {
        switch self {
        case .device: ""
        case .workspace: ", in the workspace"
        case .both: ", on devices and in the workspace"
        }
    }
}
