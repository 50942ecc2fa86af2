import Foundation
import TributaryJSON

/// The user that analytics-swift keeps in the preferences of its write key.
struct AnalyticsSwiftUser {
    let user: LegacySDKUser
    /// The parts that could not be read, as sentences.
    let problems: [String]

    static func domain(writeKey: String) -> String { "com.segment.storage.\(writeKey)" }

    /// - Parameter preference: a value of the write key's domain.
    init(preference: (_ key: String) -> Any?) {
        var user = LegacySDKUser()
        var problems: [String] = []
        user.anonymousId = LegacySDKUser.id(preference("segment.anonymousId") as? String)
        user.userId = LegacySDKUser.id(preference("segment.userId") as? String)
        if let stored = preference("segment.traits") {
            do {
                user.traits = try Self.traits(stored)
            } catch {
                problems.append("the traits of analytics-swift cannot be read: \(error)")
            }
        }
        self.user = user
        self.problems = problems
    }

    /// The traits, a property list inside the preferences. They must be an object.
    private static func traits(_ stored: Any) throws -> JSONObject {
        let json: JSON
        if let data = stored as? Data {
            guard data.count <= Limits.migratedFileBytes else { throw MigrationError("they have \(data.count) bytes") }
            json = try PropertyList.json([UInt8](data))
        } else {
            json = try PropertyList.json(stored)
        }
        guard let object = json.objectValue else {
            if json.isNull { return [:] }
            throw MigrationError("they are not an object")
        }
        return object
    }
}
