/// A newer version of the server changed the settings. This node waits in front of that until its program is replaced.
struct NewerSettings: Error, Sendable, Equatable, CustomStringConvertible {
    let description: String

    /// - Parameter what: the record, and what about it is newer.
    init(_ what: String) {
        description = "a newer version of the server changed the settings; upgrade this node (\(what))"
    }
}
