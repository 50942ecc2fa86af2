import Crypto
import Foundation
import WorkspaceCore

/// Random bytes as text that is valid in a header, a cookie or an address.
enum Secret {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Whether a text has that digest. The comparison takes the same time for every wrong text.
    static func isText(_ text: String, ofDigest digest: Data) -> Bool { SHA256.hash(data: Data(text.utf8)) == digest }
}
