import Crypto
import Foundation

/// Random bytes as text that stands in a header, a cookie or an address as it is.
enum Secret {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Whether a text is the one of that digest. It takes as long when it is nearly right as when it is wrong.
    static func isText(_ text: String, ofDigest digest: Data) -> Bool { SHA256.hash(data: Data(text.utf8)) == digest }
}
