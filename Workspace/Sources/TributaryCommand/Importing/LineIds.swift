import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Message ids for events that have none: the same for the same line of the same file.
struct LineIds {
    private let identity: String

    init(_ identity: String) { self.identity = identity }

    func completed(_ event: JSONObject, line: Int) -> JSONObject {
        if let id = event["messageId"]?.stringValue, !id.isBlank { return event }
        var event = event
        let digest = SHA256.hash(data: Data("\(identity):\(line)".utf8))
        event["messageId"] = .string("import-" + digest.hexadecimal.prefix(32))
        return event
    }
}
