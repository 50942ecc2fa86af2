import Foundation
import HTTPTypes
import Hummingbird

/// Finds and checks write keys.
package enum WriteKey {
    /// The write keys that a request of a client names: in Basic authentication, in a header, in the query, in the body.
    ///
    /// The body is last, because some clients make the key in it unreadable.
    static func all(of request: Request, body: String?) -> [String] {
        let candidates = [
            basicUser(request.headers[.authorization]), request.headers[named: "X-Write-Key"],
            QueryReader(request).text("writeKey"), body,
        ]
        return candidates.compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// The answer to a request with a key that no source has.
    static func unknown(_ key: String) -> APIError {
        var error = APIError(.unauthorized, "the write key is not known here")
        error.refusedKey = key
        return error
    }

    package static let rule =
        "a write key has 1 to \(Limits.writeKeyLength) characters: letters, digits and -._~, not only dots"

    /// Letters, digits and `-._~`: characters that need no escaping in a URL. `.` and `..` are not keys, because a URL
    /// reads them as folders.
    package static func isValid(_ key: String) -> Bool {
        (1...Limits.writeKeyLength).contains(key.utf8.count) && !key.allSatisfy { $0 == "." }
            && key.utf8.allSatisfy { $0.isAlphanumeric || "-._~".utf8.contains($0) }
    }

    /// The user name of `Basic` credentials. The colon and the password may be missing.
    private static func basicUser(_ authorization: String?) -> String? {
        guard let authorization else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1]))
        else { return nil }
        return String(decoding: data.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
}
