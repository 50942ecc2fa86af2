import TributaryJSON

/// The data of a `NavigationSignal`.
public struct NavigationData: Codable, Hashable, Sendable {
    /// The way to the screen.
    public var action: NavigationAction
    /// The name of the screen.
    public var screen: String
    /// The name of the screen before it, when it is known.
    public var previousScreen: String?

    /// Data with all members.
    public init(action: NavigationAction, screen: String, previousScreen: String? = nil) {
        self.action = action
        self.screen = screen
        self.previousScreen = previousScreen
    }

    /// The screen, under the name of other versions of the interface.
    public var currentScreen: String { screen }

    var members: JSONObject {
        var members = JSONObject()
        members["action"] = .string(action.rawValue)
        members["screen"] = .string(screen)
        if let previousScreen {
            members["currentScreen"] = .string(screen)
            members["previousScreen"] = .string(previousScreen)
        }
        return members
    }

    /// Writes the members. When the screen before is known, `screen` is also written as `currentScreen`.
    public func encode(to encoder: any Encoder) throws { try JSON.object(members).encode(to: encoder) }
}
