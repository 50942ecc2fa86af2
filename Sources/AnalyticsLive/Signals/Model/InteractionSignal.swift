import Foundation
import TributaryJSON

/// The user did something with a component.
public struct InteractionSignal: RawSignal, DescribedSignal, Hashable {
    public var anonymousId: String = Signals.shared.anonymousId
    public var type: SignalType = .interaction
    public var timestamp: String = Date().iso8601()
    public var index: Int = indexToCome
    public var data: InteractionData

    /// An interaction without further data.
    public init(component: String, title: String? = nil) {
        data = InteractionData(component: component, title: title)
    }

    /// An interaction with further data. Values without a JSON form are left out, with a diagnostic.
    public init(component: String, title: String? = nil, data: [String: Any]?) {
        self.data = InteractionData(component: component, title: title, data: SignalContent.json(data))
    }

    /// An interaction with further data. Values without a JSON form are left out, with a diagnostic.
    public init<Content: Encodable>(component: String, title: String? = nil, data: Content?) {
        self.data = InteractionData(component: component, title: title, data: SignalContent.json(data))
    }

    /// A signal with that data.
    public init(data: InteractionData) { self.data = data }

    var dataMembers: JSONObject { data.members }
}
