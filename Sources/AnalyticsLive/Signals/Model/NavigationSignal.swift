import Foundation
import TributaryJSON

/// The user went to another screen.
public struct NavigationSignal: RawSignal, DescribedSignal, Hashable {
    public var anonymousId: String = Signals.shared.anonymousId
    public var type: SignalType = .navigation
    public var timestamp: String = Date().iso8601()
    public var index: Int = indexToCome
    public var data: NavigationData

    /// A way to a screen.
    public init(action: NavigationAction, screen: String) {
        data = NavigationData(action: action, screen: screen)
    }

    /// A screen appears after another one.
    public init(currentScreen: String, previousScreen: String? = nil) {
        data = NavigationData(action: .entering, screen: currentScreen, previousScreen: previousScreen)
    }

    /// A signal with that data.
    public init(data: NavigationData) { self.data = data }

    var dataMembers: JSONObject { data.members }
}
