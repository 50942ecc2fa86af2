/// What an app does with data that it keeps.
public enum LocalDataAction: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was read.
    case loaded
    /// It was changed.
    case updated
    /// It was written.
    case saved
    /// It was deleted.
    case deleted
    /// Anything else.
    case undefined
}
