import TributaryJSON

/// A message of JSON-RPC 2.0 from a client.
enum RPCMessage {
    case request(RPCRequest)
    /// A message without an answer.
    case notification(method: String, parameters: JSONObject)
    /// An answer to a request; this server never sends one.
    case answer

    /// - Throws: `RPCFault` for a line that is none of these.
    init(_ line: [UInt8]) throws(RPCFault) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(line)
        } catch {
            throw RPCFault(.parse, "the line is not JSON: \(error)")
        }
        guard let object = json.objectValue else {
            let isBatch = json.elements != nil
            throw RPCFault(
                .request, isBatch ? "a line holds one message, and no batch" : "a message is a JSON object")
        }
        try self.init(object)
    }

    private init(_ object: JSONObject) throws(RPCFault) {
        let id = try object["id"].map { id throws(RPCFault) in try Self.id(id) }
        guard object["jsonrpc"] == "2.0" else { throw RPCFault(.request, #""jsonrpc" has to be "2.0""#, id) }
        guard let method = object["method"] else {
            guard object["result"] != nil || object["error"] != nil else {
                throw RPCFault(.request, "the message has no method", id)
            }
            self = .answer
            return
        }
        guard let method = method.stringValue else { throw RPCFault(.request, "the method is a text", id) }
        guard let parameters = (object["params"] ?? [:]).objectValue else {
            throw RPCFault(.parameters, #""params" is a JSON object"#, id)
        }
        if let id {
            self = .request(RPCRequest(id: id, method: method, parameters: parameters))
        } else {
            self = .notification(method: method, parameters: parameters)
        }
    }

    private static func id(_ id: JSON) throws(RPCFault) -> JSON {
        guard id.stringValue != nil || id.intValue != nil else {
            throw RPCFault(.request, #""id" is a text or an integer"#)
        }
        return id
    }
}
