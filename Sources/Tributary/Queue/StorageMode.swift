public import Foundation

/// Where waiting events are stored.
///
/// ```swift
/// let folder = FileManager.default.temporaryDirectory
/// let configuration = Configuration(writeKey: "KEY").storageMode(.diskAtURL(folder))
/// ```
public enum StorageMode: Sendable, Equatable {
    /// The system's place for the data of an app. The default.
    case disk
    /// A `tributary` folder inside that folder. Nothing else in the folder is touched.
    case diskAtURL(URL)
    /// A `tributary` folder inside a folder that an app shares with its extensions: the folder of their app group, from
    /// `FileManager.default.containerURL(forSecurityApplicationGroupIdentifier:)`.
    ///
    /// App and extensions then have the same user, and each delivers the events that the others left. No file stays
    /// locked there, because the system ends an app that it suspends with a lock in a shared folder. A folder of
    /// `diskAtURL` inside an app group is treated in the same way.
    case sharedContainer(URL)
    /// In memory only: at most that many unprocessed and as many processed events. All are lost with the process.
    case memory(Int)
    /// The app's own store. It also keeps the user's identity and consent. Settings and live plugins are not kept
    /// across launches.
    case custom(any EventStore)

    /// The app's own store, if the mode has one.
    var ownStore: (any EventStore)? { if case .custom(let store) = self { store } else { nil } }

    /// Modes with an app's own store are equal when the store is the same object.
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
