public import Foundation

/// Whether a client takes over what another analytics library left on this device, and where it looks.
///
/// A client whose own storage is new looks once, for analytics-swift with the same write key and for analytics-ios:
/// - anonymous id, user id and traits become this client's, before its first event;
/// - events that the other library could not send any more go on through this client, with their own ids and times.
///   They do not reach device-mode destinations: those had them from the other library;
/// - the app's version that the other library knew is kept, so that the app does not count as newly installed.
///
/// A file with events is deleted when all of it is in this client's storage. Ids and settings of the other library stay
/// as they are. What cannot be read is reported (``Diagnostic/Kind/migration``) and left alone. A client that works in
/// memory takes over nothing.
public struct Migration: Sendable {
    /// Undoes an encryption; nil for what was not encrypted with it.
    typealias Decrypt = @Sendable (Data) -> Data?

    /// Folders with files of events as analytics-swift names them.
    var eventFolders: @Sendable (_ writeKey: String) -> [URL]
    /// Folders with files of analytics-ios.
    var appFolders: [URL]
    /// A value of a domain of preferences; the app's own domain when it is nil.
    var preference: @Sendable (_ domain: String?, _ key: String) -> Any?
    /// Undoes the encryption that the app gave analytics-ios; nil when it gave it none.
    var decrypt: Decrypt?
    /// The names in a folder.
    var names: @Sendable (URL) throws -> [String] = { try FileManager.default.contentsOfDirectory(atPath: $0.path) }

    /// Takes over from the places where the libraries keep their data on this system.
    public static let automatic = Migration(
        eventFolders: { key in MigrationPlaces.analyticsSwift.map { $0.appendingPathComponent("segment/\(key)") } },
        appFolders: MigrationPlaces.analyticsIOS, preference: { MigrationPlaces.preference($0, $1) })

    /// Takes over nothing.
    public static let off = Migration(eventFolders: { _ in [] }, appFolders: [], preference: { _, _ in nil })

    /// Looks in another folder too: the one that the app gave analytics-swift as `.diskAtURL`.
    public func including(folder: URL) -> Migration {
        var copy = self
        let eventFolders = eventFolders
        copy.eventFolders = { eventFolders($0) + [folder] }
        return copy
    }

    /// Reads what analytics-ios encrypted: for apps that gave it a `crypto`. What is not encrypted is read, too.
    ///
    /// A client that is set up by an `AnalyticsConfiguration` with a `crypto` does so by itself.
    /// - Parameter decrypt: undoes the encryption; nil for what was not encrypted with it. Called on the thread that makes
    ///   the client, and on a background thread.
    public func decrypting(_ decrypt: @escaping @Sendable (Data) -> Data?) -> Migration {
        var copy = self
        copy.decrypt = decrypt
        return copy
    }
}
