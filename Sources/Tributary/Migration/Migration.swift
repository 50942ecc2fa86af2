public import Foundation

/// Whether a client takes over the data of another analytics library on this device, and where it looks.
///
/// A client with new storage looks once, for analytics-swift with the same write key and for analytics-ios:
/// - The client takes over anonymous id, user id and traits before its first event.
/// - The client sends the events that the other library had not sent, with their own ids and times. Device-mode
///   destinations do not get them, because they got them from the other library.
/// - The client stores the app's version that the other library knew, so the app does not count as newly installed.
///
/// The client deletes a file with events when all of it is in the client's storage. Ids and settings of the other
/// library stay as they are. The client reports data that it cannot read (``Diagnostic/Kind/migration``) and leaves it
/// alone. A client that works in memory takes over nothing.
///
/// ```swift
/// let folder = FileManager.default.temporaryDirectory  // the folder that analytics-swift had as `.diskAtURL`
/// let configuration = Configuration(writeKey: "KEY").migration(.automatic.including(folder: folder))
/// ```
public struct Migration: Sendable {
    /// Decrypts data; nil when this encryption did not make it.
    typealias Decrypt = @Sendable (Data) -> Data?

    /// The folders with files of events, named as analytics-swift names them.
    var eventFolders: @Sendable (_ writeKey: String) -> [URL]
    /// The folders with files of analytics-ios.
    var appFolders: [URL]
    /// A value of a domain of preferences. Nil means the app's own domain.
    var preference: @Sendable (_ domain: String?, _ key: String) -> Any?
    /// Decrypts what analytics-ios encrypted; nil when the app configured no encryption.
    var decrypt: Decrypt?
    /// The names in a folder.
    var names: @Sendable (URL) throws -> [String] = { try FileManager.default.contentsOfDirectory(atPath: $0.path) }

    /// Takes over from the places where the libraries keep their data on this system.
    public static let automatic = Migration(
        eventFolders: { key in MigrationPlaces.analyticsSwift.map { $0.appendingPathComponent("segment/\(key)") } },
        appFolders: MigrationPlaces.analyticsIOS, preference: { MigrationPlaces.preference($0, $1) })

    /// Takes over nothing.
    public static let off = Migration(eventFolders: { _ in [] }, appFolders: [], preference: { _, _ in nil })

    /// Also looks in another folder, which the app configured in analytics-swift with `.diskAtURL`.
    public func including(folder: URL) -> Migration {
        var copy = self
        let eventFolders = eventFolders
        copy.eventFolders = { eventFolders($0) + [folder] }
        return copy
    }

    /// Decrypts what analytics-ios encrypted, for apps that configured its `crypto`. Data that is not encrypted is
    /// read, too.
    ///
    /// A client that is made of an `AnalyticsConfiguration` with a `crypto` does this by itself.
    /// - Parameter decrypt: decrypts data; nil when this encryption did not make it. It is called on the thread that
    ///   makes the client, and on a background thread.
    public func decrypting(_ decrypt: @escaping @Sendable (Data) -> Data?) -> Migration {
        var copy = self
        copy.decrypt = decrypt
        return copy
    }
}
