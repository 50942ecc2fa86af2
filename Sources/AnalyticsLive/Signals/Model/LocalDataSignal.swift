import Foundation
import TributaryJSON

/// The app read or wrote data that it keeps.
public struct LocalDataSignal: RawSignal, DescribedSignal, Hashable {
    public var anonymousId: String = Signals.shared.anonymousId
    public var type: SignalType = .localData
    public var timestamp: String = Date().iso8601()
    public var index: Int = indexToCome
    public var data: LocalData

    /// What was done, without the data.
    public init(action: LocalDataAction, identifier: String) {
        data = LocalData(action: action, identifier: identifier)
    }

    /// What was done, with the data. What has no JSON form is left out, with a diagnostic.
    public init(action: LocalDataAction, identifier: String, data: [String: Any]?) {
        self.data = LocalData(action: action, identifier: identifier, data: SignalContent.json(data))
    }

    /// What was done, with the data. What has no JSON form is left out, with a diagnostic.
    public init<Content: Encodable>(action: LocalDataAction, identifier: String, data: Content?) {
        self.data = LocalData(action: action, identifier: identifier, data: SignalContent.json(data))
    }

    /// A signal of such data.
    public init(data: LocalData) { self.data = data }

    var dataMembers: JSONObject { data.members }
}
