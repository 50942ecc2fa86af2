import TributaryJSON
import WorkspaceCore

/// The answer to a message that cannot be carried out.
struct RPCFault: Error {
    /// The codes of JSON-RPC, and a code of the Model Context Protocol.
    enum Code: Int {
        case parse = -32_700
        case request = -32_600
        case method = -32_601
        case parameters = -32_602
        case version = -32_022
    }

    let code: Code
    let text: String
    /// That of the message; null when it could not be read.
    let id: JSON
    let data: JSON?

    init(_ code: Code, _ text: String, _ id: JSON? = nil, data: JSON? = nil) {
        self.code = code
        self.text = text
        self.id = id ?? .null
        self.data = data
    }

    /// The message to send.
    var message: JSON {
        var error: JSON = ["code": .number(code.rawValue), "message": .string(text)]
        error["data"] = data
        return ["jsonrpc": "2.0", "id": id, "error": error]
    }
}
