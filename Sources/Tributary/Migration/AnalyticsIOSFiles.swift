import Foundation
import TributaryJSON

/// The data that analytics-ios keeps in files, and in the preferences on tvOS: one user for all write keys of the app.
struct AnalyticsIOSFiles {
    static let queueName = "segmentio.queue.plist"

    let user: LegacySDKUser
    /// The parts that could not be read, as sentences.
    let problems: [String]

    /// - Parameters:
    ///   - file: the bytes of a file by its name; nil when there is no such file.
    ///   - preference: a value of the app's own domain.
    ///   - decrypt: decrypts a file; nil when the app configured no encryption.
    init(
        file: (_ name: String) throws -> [UInt8]?, preference: (_ key: String) -> Any?,
        decrypt: Migration.Decrypt? = nil
    ) {
        var problems: [String] = []
        func value(_ name: String, _ key: String) -> JSON? {
            do {
                if let bytes = try file(name) { return try Self.value(bytes, name: name, decrypt) }
                return try preference(key).map { try Self.value(preference: $0, name: name, decrypt) }
            } catch {
                problems.append("\(name) of analytics-ios cannot be read: \(error)")
                return nil
            }
        }
        var user = LegacySDKUser()
        user.anonymousId = LegacySDKUser.id(value("segment.anonymousId", "SEGAnonymousId")?.stringValue)
        user.userId = LegacySDKUser.id(value("segmentio.userId", "SEGUserId")?.stringValue)
        user.traits = value("segmentio.traits.plist", "SEGTraits")?.objectValue ?? [:]
        // analytics-ios kept the ids among the traits, too. Here they would be sent as traits, so they are removed.
        for (key, id) in [("userId", user.userId), ("anonymousId", user.anonymousId)] {
            if user.traits[key]?.stringValue == id { user.traits[key] = nil }
        }
        self.user = user
        self.problems = problems
    }

    /// The events of the library's queue, oldest first.
    static func queue(_ bytes: [UInt8], decrypt: Migration.Decrypt? = nil) throws -> [JSONObject] {
        guard let elements = try value(bytes, name: queueName, decrypt).elements else {
            throw MigrationError("the file is not a list of events")
        }
        let events = elements.compactMap(\.objectValue)
        guard events.count == elements.count else { throw MigrationError("the file has elements that are not events") }
        return events
    }

    /// A file is encrypted as a whole or not at all. A file from before the app configured the encryption is not
    /// encrypted.
    private static func value(_ bytes: [UInt8], name: String, _ decrypt: Migration.Decrypt?) throws -> JSON {
        guard let decrypt else { return try value(bytes, name: name) }
        if let plain = decrypt(Data(bytes)), let value = try? value([UInt8](plain), name: name) { return value }
        do {
            return try value(bytes, name: name)
        } catch {
            throw MigrationError("\(error), and decrypting it did not help")
        }
    }

    /// A preference as JSON. An encrypted preference is data, with a property list inside.
    private static func value(preference: Any, name: String, _ decrypt: Migration.Decrypt?) throws -> JSON {
        guard let data = preference as? Data else { return try PropertyList.json(preference) }
        return try value([UInt8](data), name: name, decrypt)
    }

    /// The content of a file. JSON holds a single value under the name of its file; older versions wrote property
    /// lists.
    private static func value(_ bytes: [UInt8], name: String) throws -> JSON {
        let json: JSON
        do {
            json = try JSON.parse(bytes)
        } catch let notJSON {
            do {
                json = try PropertyList.json(bytes)
            } catch {
                throw MigrationError(
                    "the content is neither JSON (\(notJSON)) nor a property list; it may be encrypted")
            }
        }
        if let object = json.objectValue, object.count == 1, let value = object[name] { return value }
        return json
    }
}
