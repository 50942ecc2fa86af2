import Foundation
import TestSupport
import TributaryJSON

@testable import Tributary

/// Files as the other libraries write them, and a place in which a client finds them.
struct Golden {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    /// A folder with copies that a test may change.
    let root = Result { try TemporaryFolder() }

    func url(_ name: String = "") throws -> URL { try root.get().url.appendingPathComponent(name) }

    func copy(_ name: String) throws {
        try FileManager.default.copyItem(at: Self.folder.appendingPathComponent(name), to: url(name))
    }

    func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(name).path).sorted()
    }

    /// The folder of copies and the preferences that a client looks at.
    func migration(
        _ preferences: [String: [String: any Sendable]] = [:],
        appFolders: [String] = ["analytics-ios", "analytics-ios-plist"]
    ) throws -> Migration {
        let app = try appFolders.map(url)
        let events = try url("analytics-swift/events")
        return Migration(
            eventFolders: { $0 == "KEY" ? [events] : [] }, appFolders: app,
            preference: { preferences[$0 ?? "app"]?[$1] })
    }

    /// The preferences of an app with analytics-ios on tvOS, from a golden file.
    static func appPreferences(_ name: String) throws -> [String: [String: any Sendable]] {
        let values = try PropertyList.dictionary(bytes("analytics-ios-tvos/\(name)"))
        var domain: [String: any Sendable] = [:]
        for (key, value) in values {
            switch value {
            case let value as String: domain[key] = value
            case let value as Data: domain[key] = value
            case let value as [String: String]: domain[key] = value
            default: break
            }
        }
        return ["app": domain]
    }

    /// The preferences of analytics-swift, as they stand in the golden file.
    static func swiftPreferences() throws -> [String: [String: any Sendable]] {
        let values = try PropertyList.dictionary(bytes("analytics-swift/com.segment.storage.KEY.plist"))
        var domain: [String: any Sendable] = [:]
        for (key, value) in values {
            if let value = value as? String { domain[key] = value }
            if let value = value as? Data { domain[key] = value }
        }
        return ["com.segment.storage.KEY": domain]
    }
}
