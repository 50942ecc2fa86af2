import Foundation
import TributaryJSON

/// Finds and removes secrets, by the names and by the form of values.
///
/// Every value that a person would take for a password, a key or a token is removed, even when it is none. A signal
/// without a value is better than one with a secret.
enum Secrets {
    /// Replaces a secret.
    static let mark = "REDACTED"

    /// A name that contains one of these parts is the name of a secret. In lower case, without characters that join
    /// words.
    private static let parts = [
        "password", "passwd", "passphrase", "passcode", "kennwort", "pwd", "secret", "token", "apikey", "accesskey",
        "privatekey", "credential", "authorization", "authenticat", "cookie", "sessionid", "sessid", "jwt", "bearer",
        "signature", "cardnumber", "creditcard", "securitycode", "socialsecurity",
    ].map { Array($0.utf8) }
    /// These are names of secrets only as a whole.
    private static let names: Set<[UInt8]> = Set(
        ["auth", "oauth", "pass", "pin", "otp", "totp", "mfa", "cvv", "cvc", "cvv2", "ssn", "sid", "sig", "session"]
            .map { Array($0.utf8) })
    /// These are names of secrets only in an address.
    private static let queryNames: Set<[UInt8]> = [Array("key".utf8), Array("code".utf8)]

    /// Whether the value with that name is a secret.
    static func isSecret(name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let joints: Set<UInt8> = [0x2D, 0x5F, 0x2E, 0x20]
        let name = name.lazy.filter { !joints.contains($0) }.map { (65...90).contains($0) ? $0 + 32 : $0 }
        let letters = Array(name.prefix(CaptureLimits.nameLetters * 4))
        if names.contains(letters) || (inQuery && queryNames.contains(letters)) { return true }
        return parts.contains { contains($0, in: letters) }
    }

    static func isSecret(name: String, inQuery: Bool = false) -> Bool { isSecret(name: name.utf8, inQuery: inQuery) }

    /// Whether a value has the form of a secret: credentials of a header, or a signed token.
    static func isSecret(value: some StringProtocol) -> Bool {
        let start = value.prefix(7).lowercased()
        if start.hasPrefix("bearer ") || start.hasPrefix("basic ") || start.hasPrefix("digest ") { return true }
        return value.hasPrefix("eyJ") && value.utf8.filter { $0 == 0x2E }.count >= 2
    }

    /// Whether a text contains a secret: the name of one before `=`, `:` or `>`.
    static func areGiven(in text: String) -> Bool {
        if areGiven(in: Array(text.utf8)) { return true }
        guard text.utf8.contains(0x25), let plain = text.removingPercentEncoding, plain != text else { return false }
        return areGiven(in: Array(plain.utf8))
    }

    private static func areGiven(in text: [UInt8]) -> Bool {
        for (index, byte) in text.enumerated() where byte == 0x3A || byte == 0x3D || byte == 0x3E {
            var end = index
            while end > 0, isFiller(text[end - 1]) { end -= 1 }
            var start = end
            while start > 0, end - start < CaptureLimits.nameLetters, isLetter(text[start - 1]) { start -= 1 }
            if start < end, isSecret(name: text[start..<end]) { return true }
        }
        return false
    }

    /// Quotes, backslashes and spaces between a name and its sign.
    private static func isFiller(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x22 || byte == 0x27 || byte == 0x5C || byte == 0x5D || byte == 0x5B
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 0x2D
            || byte == 0x5F || byte == 0x2E
    }

    private static func contains(_ part: [UInt8], in name: [UInt8]) -> Bool {
        guard name.count >= part.count else { return false }
        return (0...(name.count - part.count)).contains { name[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
