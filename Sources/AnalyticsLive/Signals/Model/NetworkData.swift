public import TributaryJSON

/// The data of a `NetworkSignal`.
public struct NetworkData: Codable, Hashable, Sendable {
    /// Whether this is the request or the response.
    public var action: NetworkAction
    /// The address, as it is written in the request.
    public var url: String
    /// The status of the response.
    public var statusCode: Int?
    /// The body: `content` for a JSON body, `body` for any other text.
    public var data: JSON?
    /// The method of the request: `GET`.
    public var method: String?
    /// The media type of the body, as its sender names it.
    public var contentType: String?
    /// Whether the status means success, 200 to 299; nil for a request.
    public var ok: Bool?
    /// An id that a request and its response share.
    public var requestId: String?

    /// Data with all members. By default `ok` follows from the status.
    public init(
        action: NetworkAction, url: String, statusCode: Int? = nil, data: JSON? = nil, method: String? = nil,
        contentType: String? = nil, ok: Bool? = nil, requestId: String? = nil
    ) {
        self.action = action
        self.url = url
        self.statusCode = statusCode
        self.data = data
        self.method = method
        self.contentType = contentType
        self.ok = ok ?? statusCode.map { (200..<300).contains($0) }
        self.requestId = requestId
    }

    var members: JSONObject {
        var members = JSONObject()
        members["action"] = .string(action.rawValue)
        members["url"] = .string(url)
        if let method { members["method"] = .string(method) }
        if let statusCode {
            members["statusCode"] = .number(JSONNumber(statusCode))
            members["status"] = .number(JSONNumber(statusCode))
        }
        if let ok { members["ok"] = .bool(ok) }
        if let contentType { members["contentType"] = .string(contentType) }
        if let requestId { members["requestId"] = .string(requestId) }
        if let data { members["data"] = data }
        return members
    }

    /// Writes the members. The status is also written as `status`, its name in other versions of the interface.
    public func encode(to encoder: any Encoder) throws { try JSON.object(members).encode(to: encoder) }
}
