public import Foundation

/// Where events wait.
public enum StorageMode: Sendable, Equatable {
    /// The system's place for an app's data. The default.
    case disk
    /// A `tributary` folder inside that folder. Nothing else in the folder is touched.
    case diskAtURL(URL)
    /// A `tributary` folder inside that folder, which an app shares with its extensions: that of their app group, which
    /// `FileManager.default.containerURL(forSecurityApplicationGroupIdentifier:)` gives.
    ///
    /// App and extensions are one user then, and deliver what the others left. No file stays locked there, because the system
    /// ends an app that it suspends with a lock in a shared folder. A folder of `diskAtURL` that lies in an app group counts
    /// as one of these.
    case sharedContainer(URL)
    /// In memory only, at most that many events before and as many after their processing; all are gone with the
    /// process.
    case memory(Int)
    /// A store of the app's own. Who the user is and what they consented to is kept there too. Settings and live plugins are then not kept across launches.
    case custom(any EventStore)

    /// The store of the app's own, if events wait there.
    var ownStore: (any EventStore)? { if case .custom(let store) = self { store } else { nil } }

    /// Stores of the app's own are equal when they are the same object.
    public static func == (left: StorageMode, right: StorageMode) -> Bool {
        switch (left, right) {
        case (.disk, .disk): true
        case (.diskAtURL(let left), .diskAtURL(let right)): left == right
        case (.sharedContainer(let left), .sharedContainer(let right)): left == right
        case (.memory(let left), .memory(let right)): left == right
        case (.custom(let left), .custom(let right)): left === right
        default: false
        }
    }
}
