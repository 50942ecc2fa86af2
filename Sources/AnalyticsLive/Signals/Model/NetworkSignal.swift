public import Foundation
import TributaryJSON

/// The app sent a request, or got the answer to one.
public struct NetworkSignal: RawSignal, DescribedSignal, Hashable {
    public var anonymousId: String = Signals.shared.anonymousId
    public var type: SignalType = .network
    public var timestamp: String = Date().iso8601()
    public var index: Int = indexToCome
    public var data: NetworkData

    /// A request or response without a body.
    public init(action: NetworkAction, url: String, statusCode: Int? = nil) {
        data = NetworkData(action: action, url: url, statusCode: statusCode)
    }

    /// A request or response with its body: `content` for a JSON body, `body` for a text. Values without a JSON form
    /// are left out, with a diagnostic.
    public init(action: NetworkAction, url: String, statusCode: Int? = nil, data: [String: Any]?) {
        self.data = NetworkData(
            action: action, url: url, statusCode: statusCode, data: SignalContent.json(data))
    }

    /// A request or response with a body of a type of the app.
    public init<Content: Encodable>(action: NetworkAction, url: String, statusCode: Int? = nil, data: Content?) {
        self.data = NetworkData(
            action: action, url: url, statusCode: statusCode, data: SignalContent.json(data))
    }

    /// A request or response with an address as a `URL`.
    public init<Content: Encodable>(action: NetworkAction, url: URL?, statusCode: Int? = nil, data: Content?) {
        self.init(action: action, url: url?.absoluteString ?? "", statusCode: statusCode, data: data)
    }

    /// A signal with that data.
    public init(data: NetworkData) { self.data = data }

    var dataMembers: JSONObject { data.members }
}
