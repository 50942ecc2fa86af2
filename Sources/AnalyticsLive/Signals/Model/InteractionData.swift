public import TributaryJSON

/// The data of an `InteractionSignal`.
public struct InteractionData: Codable, Hashable, Sendable {
    /// The kind of component: `button`, `TextField`.
    public var component: String
    /// The text or the name of the component.
    public var title: String?
    /// Further data.
    public var data: JSON?

    /// Data with all members.
    public init(component: String, title: String? = nil, data: JSON? = nil) {
        self.component = component
        self.title = title
        self.data = data
    }

    var members: JSONObject {
        var members = JSONObject()
        members["component"] = .string(component)
        if let title {
            members["title"] = .string(title)
            members["info"] = .string(title)
        }
        if let data { members["data"] = data }
        return members
    }

    /// Writes the members. The title is also written as `info`, the name in scripts.
    public func encode(to encoder: any Encoder) throws { try JSON.object(members).encode(to: encoder) }
}
