/// An action of an app on its stored data.
public enum LocalDataAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// The data was read.
    case loaded
    /// The data was changed.
    case updated
    /// The data was written.
    case saved
    /// The data was deleted.
    case deleted
    /// Anything else.
    case undefined
}
