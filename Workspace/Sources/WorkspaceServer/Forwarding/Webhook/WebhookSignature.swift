import Crypto
import Foundation
import WorkspaceCore

/// Signs requests as the Standard Webhooks do, so that receivers find a library that checks it.
/// Source: the specification of Standard Webhooks 1.0, "Signature scheme".
enum WebhookSignature {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~:")

    /// The value of `webhook-id`. Clients choose message ids, and a header cannot contain line breaks. A dot separates
    /// the signed parts.
    static func id(_ messageId: String) -> String {
        messageId.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    /// The value of `webhook-signature`: one signature for each secret, separated by spaces.
    static func text(id: String, timestamp: Int64, body: [UInt8], secrets: [[UInt8]]) -> String {
        let signed = Array("\(id).\(timestamp).".utf8) + body
        return secrets.map { secret in
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
            return "v1," + Data(code).base64EncodedString()
        }.joined(separator: " ")
    }
}
