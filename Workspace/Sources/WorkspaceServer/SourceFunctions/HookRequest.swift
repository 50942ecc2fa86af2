import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// A request of another service to a source function.
package struct HookRequest: Sendable, Equatable {
    /// By names in small letters. Values of a repeated header are joined by a comma.
    package let headers: [String: String]
    package let query: [String: String]
    /// As it came.
    package let body: [UInt8]

    package init(headers: [String: String], query: [String: String], body: [UInt8]) {
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { "\($0), \($1)" }
        (self.query, self.body) = (query, body)
    }

    init(_ request: Request, body: [UInt8]) {
        let headers = request.headers.map { ($0.name.canonicalName, $0.value) }
        let query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        self.init(
            headers: Dictionary(headers) { "\($0), \($1)" }, query: Dictionary(query) { first, _ in first }, body: body)
    }

    /// Headers that hold what logs in; a script never sees them.
    private static let hidden: Set<String> = ["authorization", "proxy-authorization", "cookie"]

    /// The request as a script gets it, without secrets; nil when the body is not UTF-8.
    func json(hiding header: String?) -> JSON? {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        let shown = headers.filter { $0.key != header && !Self.hidden.contains($0.key) }
        return [
            "headers": .object(JSONObject(shown.mapValues(JSON.string))),
            "query": .object(JSONObject(query.mapValues(JSON.string))), "body": .string(text),
        ]
    }
}
