public import Foundation

/// Where events wait.
public enum StorageMode: Sendable, Equatable {
    /// The system's place for an app's data. The default.
    case disk
    /// A `tributary` folder inside that folder. Nothing else in the folder is touched.
    case diskAtURL(URL)
    /// In memory only, at most that many events; all are gone with the process.
    case memory(Int)
}
