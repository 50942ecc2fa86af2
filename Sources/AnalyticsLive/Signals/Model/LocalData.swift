public import TributaryJSON

/// What a `LocalDataSignal` tells.
public struct LocalData: Codable, Hashable, Sendable {
    /// What was done.
    public var action: LocalDataAction
    /// What it was done to.
    public var identifier: String
    /// The data itself.
    public var data: JSON?

    /// Data with all members.
    public init(action: LocalDataAction, identifier: String, data: JSON? = nil) {
        self.action = action
        self.identifier = identifier
        self.data = data
    }

    var members: JSONObject {
        var members = JSONObject()
        members["action"] = .string(action.rawValue)
        members["identifier"] = .string(identifier)
        if let data { members["data"] = data }
        return members
    }
}
