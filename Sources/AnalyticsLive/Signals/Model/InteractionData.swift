public import TributaryJSON

/// What an `InteractionSignal` tells.
public struct InteractionData: Codable, Hashable, Sendable {
    /// The kind of component: `button`, `TextField`.
    public var component: String
    /// What the component shows, or how it is called.
    public var title: String?
    /// Anything that belongs to it.
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

    /// Writes the members; the title stands under `info`, too, as scripts call it.
    public func encode(to encoder: any Encoder) throws { try JSON.object(members).encode(to: encoder) }
}
