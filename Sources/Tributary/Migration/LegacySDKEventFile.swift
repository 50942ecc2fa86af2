import Foundation
import TributaryJSON

/// A file with events that another library had not sent.
struct LegacySDKEventFile: Equatable {
    enum Library: String {
        case analyticsSwift = "analytics-swift"
        case analyticsIOS = "analytics-ios"
    }

    /// The content of a file.
    struct Content {
        var events: [JSONObject]
        /// The number of torn events.
        var torn: Int
    }

    let library: Library
    let url: URL

    /// - Parameter decrypt: decrypts what the other library encrypted.
    func content(decrypt: Migration.Decrypt? = nil) throws -> Content? {
        guard let bytes = try MigrationFile.read(url) else { return nil }
        switch library {
        case .analyticsSwift:
            let batch = AnalyticsSwiftBatch(bytes)
            return Content(events: batch.events, torn: batch.torn)
        case .analyticsIOS:
            return Content(events: try AnalyticsIOSFiles.queue(bytes, decrypt: decrypt), torn: 0)
        }
    }

    // MARK: Finding

    /// The files of analytics-swift, `12-segment-events` and `12-segment-events.temp`, oldest first: by number, not by
    /// name.
    /// - Throws: when the folder exists and cannot be listed now.
    static func analyticsSwift(
        in folder: URL, names: (URL) throws -> [String]
    ) throws(MigrationError) -> [LegacySDKEventFile] {
        let files = try list(folder, names).compactMap { name in order(name).map { (order: $0, name: name) } }
        return files.inOrder { $0.order < $1.order }
            .map { LegacySDKEventFile(library: .analyticsSwift, url: folder.appendingPathComponent($0.name)) }
    }

    private static func list(_ folder: URL, _ names: (URL) throws -> [String]) throws(MigrationError) -> [String] {
        do {
            return try names(folder)
        } catch {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
                return []
            }
            throw MigrationError("the folder cannot be listed: \(error.localizedDescription)", isPassing: true)
        }
    }

    /// The place of a file of analytics-swift in the order: by number, and a closed file before the open one of the
    /// same number. Nil for any other file.
    private static func order(_ name: String) -> Int? {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(parts[0]),
            number < Int.max / 2
        else { return nil }
        switch parts[1] {
        case "segment-events.temp": return 2 * number
        case "segment-events": return 2 * number + 1
        default: return nil
        }
    }

    /// The queue of analytics-ios. It belongs to the app, not to a write key. The client that comes first takes it by
    /// renaming it.
    static func analyticsIOS(in folder: URL, writeKey: String) -> [LegacySDKEventFile] {
        [claimed(folder, writeKey), folder.appendingPathComponent(AnalyticsIOSFiles.queueName)]
            .filter { FileManager.default.fileExists(atPath: $0.path) }
            .map { LegacySDKEventFile(library: .analyticsIOS, url: $0) }
    }

    /// Renames the file so that it belongs to this write key alone; nil when another client was faster.
    func claimed(writeKey: String) throws -> LegacySDKEventFile? {
        guard library == .analyticsIOS, url.lastPathComponent == AnalyticsIOSFiles.queueName else { return self }
        let name = Self.claimed(url.deletingLastPathComponent(), writeKey)
        do {
            try FileManager.default.moveItem(at: url, to: name)
        } catch {
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            throw MigrationError("the file cannot be renamed: \(error.localizedDescription)")
        }
        return LegacySDKEventFile(library: library, url: name)
    }

    private static func claimed(_ folder: URL, _ writeKey: String) -> URL {
        folder.appendingPathComponent("\(AnalyticsIOSFiles.queueName).\(StorageLocation.fileName(writeKey))")
    }
}
