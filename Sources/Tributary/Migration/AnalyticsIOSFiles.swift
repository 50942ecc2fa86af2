import Foundation
import TributaryJSON

/// What analytics-ios keeps in files, in the preferences on tvOS: one user for all write keys of the app.
struct AnalyticsIOSFiles {
    static let queueName = "segmentio.queue.plist"

    let user: LegacySDKUser
    /// What could not be read, in sentences.
    let problems: [String]

    /// - Parameters:
    ///   - file: the bytes of a file by its name; nil when there is none.
    ///   - preference: a value of the app's own domain.
    ///   - decrypt: undoes the encryption that the app gave the library, if it gave it one.
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
        // The library kept the ids among the traits too; here they would go on the wire as traits.
        for (key, id) in [("userId", user.userId), ("anonymousId", user.anonymousId)] {
            if user.traits[key]?.stringValue == id { user.traits[key] = nil }
        }
        self.user = user
        self.problems = problems
    }

    /// The events of its queue, oldest first.
    static func queue(_ bytes: [UInt8], decrypt: Migration.Decrypt? = nil) throws -> [JSONObject] {
        guard let elements = try value(bytes, name: queueName, decrypt).elements else {
            throw MigrationError("it is not a list of events")
        }
        let events = elements.compactMap(\.objectValue)
        guard events.count == elements.count else { throw MigrationError("not everything in it is an event") }
        return events
    }

    /// A whole file is encrypted, or none of it. One that was written before the app brought its encryption is not.
    private static func value(_ bytes: [UInt8], name: String, _ decrypt: Migration.Decrypt?) throws -> JSON {
        guard let decrypt else { return try value(bytes, name: name) }
        if let plain = decrypt(Data(bytes)), let value = try? value([UInt8](plain), name: name) { return value }
        do {
            return try value(bytes, name: name)
        } catch {
            throw MigrationError("\(error), and the app's encryption does not make it one")
        }
    }

    /// A preference is what it is; an encrypted one is the data of a property list.
    private static func value(preference: Any, name: String, _ decrypt: Migration.Decrypt?) throws -> JSON {
        guard let data = preference as? Data else { return try PropertyList.json(preference) }
        return try value([UInt8](data), name: name, decrypt)
    }

    /// JSON, in which a lone value stands under the name of its file; older versions wrote property lists.
    private static func value(_ bytes: [UInt8], name: String) throws -> JSON {
        let json: JSON
        do {
            json = try JSON.parse(bytes)
        } catch let notJSON {
            do {
                json = try PropertyList.json(bytes)
            } catch {
                throw MigrationError("it is neither JSON (\(notJSON)) nor a property list; it may be encrypted")
            }
        }
        if let object = json.objectValue, object.count == 1, let value = object[name] { return value }
        return json
    }
}
