package import TributaryJSON

/// The function of a source that makes events of requests of other services.
package struct SourceFunction: Sendable, Equatable {
    /// The last step of the address that takes the requests. Strangers cannot guess it.
    package let hook: String
    /// Its code, the values of its settings, and what its class declares.
    package let settings: JSONObject
    /// The values of its secrets by name. They are never shown.
    package let secrets: JSONObject
    package let createdAt: Int64
    package let updatedAt: Int64

    package init(hook: String, settings: JSONObject, secrets: JSONObject, createdAt: Int64, updatedAt: Int64) {
        (self.hook, self.settings, self.secrets) = (hook, settings, secrets)
        (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
    }

    /// Reads a stored text; nil for an empty one.
    /// - Throws: when the text is not that of a function.
    init?(stored: String) throws {
        guard !stored.isEmpty else { return nil }
        let json = try JSON.parse(Array(stored.utf8))
        guard let hook = json["hook"]?.stringValue, let settings = json["settings"]?.objectValue,
            let secrets = json["secrets"]?.objectValue, let createdAt = json["createdAt"]?.numberValue?.int64,
            let updatedAt = json["updatedAt"]?.numberValue?.int64
        else { throw Refusal.invalid("the stored function of a source cannot be read") }
        self.init(hook: hook, settings: settings, secrets: secrets, createdAt: createdAt, updatedAt: updatedAt)
    }

    /// The text that is stored.
    var stored: String {
        String(
            decoding: JSON.object([
                "hook": .string(hook), "settings": .object(settings), "secrets": .object(secrets),
                "createdAt": .number(createdAt), "updatedAt": .number(updatedAt),
            ]).encoded(), as: UTF8.self)
    }
}
