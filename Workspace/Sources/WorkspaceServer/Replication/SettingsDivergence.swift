/// The settings of this node cannot follow the log of the cluster any more. Nothing makes that good by itself.
struct SettingsDivergence: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
