import Foundation
import TributaryJSON

/// The app read or wrote its stored data.
public struct LocalDataSignal: RawSignal, DescribedSignal, Hashable {
    public var anonymousId: String = Signals.shared.anonymousId
    public var type: SignalType = .localData
    public var timestamp: String = Date().iso8601()
    public var index: Int = indexToCome
    public var data: LocalData

    /// A signal without the app's data.
    public init(action: LocalDataAction, identifier: String) {
        data = LocalData(action: action, identifier: identifier)
    }

    /// A signal with the app's data. Values without a JSON form are left out, with a diagnostic.
    public init(action: LocalDataAction, identifier: String, data: [String: Any]?) {
        self.data = LocalData(action: action, identifier: identifier, data: SignalContent.json(data))
    }

    /// A signal with the app's data. Values without a JSON form are left out, with a diagnostic.
    public init<Content: Encodable>(action: LocalDataAction, identifier: String, data: Content?) {
        self.data = LocalData(action: action, identifier: identifier, data: SignalContent.json(data))
    }

    /// A signal with that data.
    public init(data: LocalData) { self.data = data }

    var dataMembers: JSONObject { data.members }
}
