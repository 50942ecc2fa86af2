import TributaryJSON

/// A login on the page by a person that a provider of OpenID Connect knows.
package struct PersonLogin: Sendable, Equatable {
    /// The name of the person for the page and the audit log.
    package let name: String
    /// The groups and the mail address from the provider. The rules of the workspace compare them. The rules are asked at each request, so a
    /// changed rule counts at once.
    package let values: [String]
    /// When it ends, in milliseconds since 1970: when the token of the provider does.
    package let endsAt: Int64
    /// When it was used last.
    package var usedAt: Int64

    package init(name: String, values: [String], endsAt: Int64, usedAt: Int64) {
        (self.name, self.values, self.endsAt, self.usedAt) = (name, values, endsAt, usedAt)
    }

    var json: JSON { ["name": .string(name), "values": .array(values.map(JSON.string))] }

    /// Nil for what this version cannot read: such a login is not valid.
    init?(_ json: JSON, endsAt: Int64, usedAt: Int64) {
        guard let name = json["name"]?.stringValue, let values = json["values"]?.elements else { return nil }
        self.init(name: name, values: values.compactMap(\.stringValue), endsAt: endsAt, usedAt: usedAt)
    }
}
