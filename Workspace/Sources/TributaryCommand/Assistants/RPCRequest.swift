import TributaryJSON

/// A message that wants an answer.
struct RPCRequest: Sendable {
    /// A text or an integer.
    let id: JSON
    let method: String
    let parameters: JSONObject
}
