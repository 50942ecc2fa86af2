public import TributaryJSON

/// The data of a `LocalDataSignal`.
public struct LocalData: Codable, Hashable, Sendable {
    /// The action of the app.
    public var action: LocalDataAction
    /// The name of the app's data.
    public var identifier: String
    /// The app's data.
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
